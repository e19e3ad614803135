"""Benches: how fast the parts are, as rates and as ratios to named yardsticks measured in the same run."""
