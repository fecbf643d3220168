"""CAT XML: what a file holds, and how it is read."""
