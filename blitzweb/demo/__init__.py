"""The demo site that comes with the package, and the tour that reads it through the real daemon."""
