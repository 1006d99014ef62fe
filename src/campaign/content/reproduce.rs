//! `reproduce.md`: how somebody else makes the numbers of the package again.

use crate::campaign::facts::Facts;
use crate::campaign::package::inputs::Inputs;

/// The text.
pub fn text(inputs: &Inputs, facts: &Facts) -> String {
    let _ = (inputs, facts);
    String::new()
}
