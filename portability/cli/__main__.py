"""`python -m portability.cli`."""

import sys

from portability.cli import main

sys.exit(main())
