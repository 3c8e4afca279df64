"""What all tests share: kernels may run interpreted, nothing is random, terminals are plain."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}

# The first example may compile; the same examples everywhere and always. Whoever only asks whether a test fails
# does not wait for the smallest example.
WANTED = [phase for phase in Phase if phase is not Phase.shrink or os.environ.get("SIM_SHRINK", "1") != "0"]
settings.register_profile(
    "sim",
    deadline=None,
    derandomize=True,
    print_blob=True,
    phases=WANTED,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("sim")


def pytest_configure(config: pytest.Config) -> None:
    """Let unsigned arithmetic wrap silently where kernels run as Python, as it does compiled."""
    if INTERPRETED:
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered in scalar:RuntimeWarning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip, with its reason, each test that makes sense only for compiled kernels."""
    for item in items:
        mark = item.get_closest_marker("compiled_only")
        if mark is None:
            continue
        reason = mark.kwargs.get("reason") or (mark.args[0] if mark.args else "")
        if not reason:
            message = f"{item.nodeid}: compiled_only needs a reason"
            raise pytest.UsageError(message)
        if INTERPRETED:
            item.add_marker(pytest.mark.skip(reason=f"compiled only: {reason}"))


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make what commands print independent of the terminal and of the build machine."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    for name in ("FORCE_COLOR", "GITHUB_ACTIONS", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)


FEWER_WORLDS = {"choices.N_TRIALS": 4, "choices.N_JUDGED": 8, "exemplar_checks.N_CHECKED": 8}


@pytest.fixture(autouse=True)
def fewer_worlds_if_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roll out less where kernels are plain Python: how, not how exactly, is what that pass shows."""
    if INTERPRETED:
        for name, n_worlds in FEWER_WORLDS.items():
            monkeypatch.setattr(f"sim.experiment.{name}", n_worlds)
