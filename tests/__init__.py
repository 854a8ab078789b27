"""Everything that CI proves, one folder a part; `browser` needs Chromium. Helpers are imported as `tests.…`."""
