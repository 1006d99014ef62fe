//! The audit: a plan, a run over a source on any number of threads, checkpoints, shards, a verdict.

pub mod checkpoint;
pub mod evidence;
pub mod plan;
pub mod run;
pub mod verdict;
