//! Flawed dealers, each with a known fault: the half of the truth that calibration cannot show.
