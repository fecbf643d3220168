"""The profile `standard`: one-to-one, whatever the order of a file."""
