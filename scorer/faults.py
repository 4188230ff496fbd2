"""What can be wrong, many things at once: the base of all faults that add up."""

from __future__ import annotations

from enum import IntFlag


class Faults(IntFlag):
    """Flags with a stable name each; the kinds derive from it."""

    @property
    def codes(self) -> list[str]:
        """The stable code of each fault: kebab-case, always in the same order."""
        return [str(fault.name).lower().replace("_", "-") for fault in type(self) if fault in self]
