"""The private copy of the lessons, the look at the machine, the server. Browser tests are in tests/browser."""
