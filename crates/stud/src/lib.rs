//! Seven-Card Stud: three published rule sets as data, dealing, betting, ranking, judging, and hand histories.

pub mod stud;
