"""What tasks are built from: records of items, measures, explanations, evidence. Public: tasks of others gain most."""
