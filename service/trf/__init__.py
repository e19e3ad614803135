"""TRF, the tournament report file of FIDE (C.04 Annex 2, editions of 2016 and 2026): read strictly, and written."""
