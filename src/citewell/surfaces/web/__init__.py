"""The web page: a few files that a browser loads once, and which then speak REST like any other client."""
