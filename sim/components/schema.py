"""JSON schemas of changes and data files, with which editors complete keys and underline faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sim.components.models import Column, Model, Number, Origin, Row, Switch, Table, Variant

if TYPE_CHECKING:
    from sim.components.catalogue import Components

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]


def schema_of_changes(components: Components) -> Schema:
    """Return the schema of a set of changes: rules, readings, tables, layout and variant."""
    properties: Schema = {"variant": {"enum": list(components.variants), "description": "applied first"}}
    layouts = components.layouts()
    if layouts:
        properties["layout"] = {"enum": list(layouts), "description": "which board lies on the table"}
    for key, rule in components.rules.items():
        properties[key] = _rule(rule)
    definitions = {name: _row(spec) for name, spec in components.specs.items()}
    patterns: Schema = {}
    for name, spec in components.specs.items():
        rows = components.sheets[name, next(iter(spec.layouts), "")].rows
        properties[name] = _table(name, spec, rows)
        patterns[rf"^{name}\.[a-z0-9_]+(\.[a-z_]+)?$"] = {"type": ["integer", "string", "boolean"]}
    return {
        "$schema": DIALECT,
        "type": "object",
        "properties": properties,
        "patternProperties": patterns,
        "additionalProperties": False,
        "$defs": definitions,
    }


def _rule(rule: Number | Switch) -> Schema:
    papers = f"{rule.certainty}; {rule.why} ({', '.join([*rule.rules, rule.source])})"
    if isinstance(rule, Switch):
        choices = [{"const": name, "description": says} for name, says in rule.reading_means.items()]
        return {"oneOf": choices, "default": rule.default, "description": papers}
    least, most = rule.range
    return {
        "type": "integer",
        "minimum": least,
        "maximum": most,
        "default": rule.default,
        "description": f"{rule.unit}; {papers}",
    }


def _table(name: str, spec: Table, rows: list[Row]) -> Schema:
    """Return the schema of changes to one table: the things it has, and new ones."""
    row: Schema = {"$ref": f"#/$defs/{name}"}
    if spec.short:
        row = {"anyOf": [_cell(spec.columns[spec.short]), row]}
    known = {str(found[spec.key]): {**row, "description": _name_of(found, spec)} for found in rows}
    return {"type": "object", "description": spec.says, "properties": known, "additionalProperties": row}


def _name_of(row: Row, spec: Table) -> str:
    return str(row.get("name") or row[spec.key])


def _row(spec: Table) -> Schema:
    columns = {name: _cell(column) for name, column in spec.columns.items() if name != spec.key}
    for alias, name in spec.aliases.items():
        columns[alias] = {**columns[name], "description": f"the same as {name}"}
    for name, link in spec.links.items():
        says = f"{link.column} of the row of {link.table} that {link.through} names"
        columns[name] = {"type": "integer", "description": says}
    return {"type": "object", "properties": columns, "additionalProperties": False}


def _cell(column: Column) -> Schema:
    says: Schema = {"description": column.says} if column.says else {}
    if column.type == "name":
        return {"enum": list(column.names), **says}
    if column.range is None:
        return {"type": "string", **says}
    least, most = column.range
    number = {"type": "integer", "minimum": least, "maximum": most, **says}
    return {"anyOf": [number, {"const": ""}], **says} if column.optional else number


def schemas_of_files(components: Components) -> dict[str, Schema]:
    """Return the schemas of `changes` and of each TOML file of a data folder."""
    variants = _entries(Variant)
    variants["$defs"]["changes"] = schema_of_changes(components)
    variants["$defs"]["Variant"]["properties"]["changes"] = {"$ref": "#/$defs/changes"}
    return {
        "changes": schema_of_changes(components),
        "rules.toml": _entries(Switch, Number),
        "policies.toml": _entries(Number),
        "tables.toml": _entries(Table),
        "variants.toml": variants,
        "SOURCES.toml": _entries(Origin),
    }


def _entries(*models: type[Model]) -> Schema:
    """Return the schema of a file with one entry of some kind per key."""
    definitions: Schema = {}
    for model in models:
        found = model.model_json_schema(ref_template="#/$defs/{model}")
        definitions |= found.pop("$defs", {})
        definitions[model.__name__] = found
    kinds = [{"$ref": f"#/$defs/{model.__name__}"} for model in models]
    entry = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return {"$schema": DIALECT, "type": "object", "additionalProperties": entry, "$defs": definitions}
