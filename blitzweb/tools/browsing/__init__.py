"""What `browser` and the digest tools do with a page, once a call is decided: one function per action (WEB-31)."""
