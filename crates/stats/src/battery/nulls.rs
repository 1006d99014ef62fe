//! P-values shared by statistics of one kind: tables, histograms, throws into cells.

pub(super) mod histogram;
pub(super) mod numbers;
pub(super) mod table;
pub(super) mod throws;
