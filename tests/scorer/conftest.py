"""Values that most tests of the rules core need."""

from __future__ import annotations

import pytest
from hypothesis import settings

from scorer.rules import RULE_SETS, RuleSet

# no deadline for a single example: the machine may be busy with something else
settings.register_profile("scorer", deadline=None)
settings.load_profile("scorer")


@pytest.fixture
def turnier() -> RuleSet:
    return RULE_SETS["turnier"]
