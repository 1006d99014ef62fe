//! Special functions, exact distributions, multiplicity: the only door to `statrs`.
