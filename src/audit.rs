//! The audit: a plan, a run over a source on any number of threads, checkpoints, shards, a verdict.

pub mod budget;
pub mod checkpoint;
pub mod evidence;
pub mod plan;
pub mod plan_file;
pub mod run;
pub mod selection;
pub mod verdict;
mod views;
