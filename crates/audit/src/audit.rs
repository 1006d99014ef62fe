//! The audit: a plan, a run over a source on any number of threads, checkpoints, shards, a verdict.
//!
//! # How the verdict is made
//! Let p be the p-values of all parts, K the number of families that have any, and m_f how many the family f has. Both
//! follow from the plan's versions and the number of decks, never from a p-value.
//!
//! 1. The p-value of a family is `min(1, m_f · min p in f)`: what Holm's method (1979) rejects first. The **family
//!    p-value** of the look is `min(1, K · min_f)` over the families: each has the same part of the level, however many
//!    p-values it has. Under the null it is below α with probability at most α, whatever the p-values have to do with
//!    each other (Bonferroni's inequality, twice).
//! 2. The **convicting** family p-value is the same over what may convict: p-values with an exact or bounded tail or with
//!    large expectations, proven bounds in the place of approximations, and 1 for the rest.
//! 3. *Fail*: proof (a record that is no deck, a repeated deck), or a convicting family p-value below 10⁻⁶. Otherwise
//!    *investigate*: a family p-value below 0.01. Otherwise *inconclusive*: fewer than 1,000 decks. Otherwise *pass*.
//! 4. If a first look says *investigate* and the plan declares a repeat, the next decks of the same source, four times as
//!    many, are judged once: proof or a family p-value below 0.01 is a *fail*, anything else a *pass*, and that is final.
//!
//! A perfect shuffle is not passed at first look with probability at most 0.01, and is failed in the end with probability
//! at most 10⁻⁶ + 0.01·0.01, about 0.0001. What a pass is worth against a given fault is measured, in
//! [`power`](crate::power), for a plan of the same statistics in the same versions and for no other.
//! The rule itself is [`verdict`]; judging a record again by it is [`certificate::rejudge`](crate::certificate::rejudge).

#[doc(hidden)]
pub mod budget;
#[doc(hidden)]
pub mod checkpoint;
#[doc(hidden)]
pub mod evidence;
pub mod plan;
pub mod plan_file;
#[doc(hidden)]
pub mod run;
#[doc(hidden)]
pub mod selection;
#[doc(hidden)]
pub mod speed;
pub mod spot;
pub mod verdict;
mod views;
