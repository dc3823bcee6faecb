"""`python -m blitzweb` is `blitzweb`."""

from blitzweb.cli import main

raise SystemExit(main())
