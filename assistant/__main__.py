"""python -m assistant ... is the same as brettblick ..."""

import sys

from assistant.cli import main

sys.exit(main())
