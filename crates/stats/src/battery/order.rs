//! The order within a deck: cycles, inversions, runs, longest stretches.

pub(super) mod cycles;
pub(super) mod exceedances;
pub(super) mod footrule;
pub(super) mod inversions;
pub(super) mod longest_cycle;
pub(super) mod longest_run;
pub(super) mod monotone;
pub(super) mod parity;
pub(super) mod records;
pub(super) mod rising_sequences;
pub(super) mod runs;
pub(super) mod start_orders;
