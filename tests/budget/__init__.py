"""The budget: how many calls small workloads make, stored in `calls.json`; `python -m tests.budget` writes them anew."""
