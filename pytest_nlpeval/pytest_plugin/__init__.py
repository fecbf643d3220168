"""What `pytest --nlpeval` does: thin adapters between pytest and the engine."""
