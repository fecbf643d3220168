"""Hardened readers and validators: bytes of a file in; lines, elements or values out, problems to the log."""
