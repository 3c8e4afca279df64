"""Golden transcripts: one told playout per file; `python -m tests.golden` writes them anew."""
