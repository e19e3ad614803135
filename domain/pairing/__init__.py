"""Who meets whom: Swiss and Danish rounds, fixed movements, brackets, pools and ladders, on plain values."""
