"""The profile `nwr2014`: what scorer_CAT_NWR.py of 2014-06-18 does, to the digit."""
