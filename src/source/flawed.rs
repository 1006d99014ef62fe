//! Flawed dealers, each with a known fault: the half of the truth that calibration cannot show.

/// placeholder
pub fn open(
    _name: &str,
    _seed: u64,
    _decks: u64,
) -> Result<Box<dyn crate::source::DeckSource>, crate::source::SourceError> {
    Err(crate::source::SourceError::Failed("not yet".into()))
}
