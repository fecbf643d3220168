"""The formats of reports, one module each: `render(report, setting)` returns a JSON report as text of that format."""
