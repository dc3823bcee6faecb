"""Pictures on disk: the image store, and walkthroughs with the page that plays them (WEB-36, WEB-37)."""
