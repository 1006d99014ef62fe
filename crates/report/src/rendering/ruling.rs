//! A recorded hand and its ruling: street by street, in sentences and as JSON.

pub mod story;
pub mod verdict;
