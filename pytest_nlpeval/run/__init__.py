"""From suites to results: everybody who scores anything comes through here."""
