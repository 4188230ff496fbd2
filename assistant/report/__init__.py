"""What an evaluation of photos rests on, for people who doubt it: as JSON, and as one HTML page with all pictures."""

from __future__ import annotations

from assistant.report.evidence import Asked, Quarrel, evidence
from assistant.report.writing import refuse_unwritable, write_report

__all__ = ["Asked", "Quarrel", "evidence", "refuse_unwritable", "write_report"]
