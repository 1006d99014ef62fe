//! The fonts of PDF reports, carried along so that every machine sets the same page.

use std::sync::LazyLock;

use typst::foundations::Bytes;
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;

/// Sentences, and the letters of figures.
pub(super) const SERIF: &str = "Libertinus Serif";

/// The files; their licences stand beside them in `LICENSES.txt`.
const FILES: [&[u8]; 4] = [
    include_bytes!("../fonts/LibertinusSerif-Regular.otf"),
    include_bytes!("../fonts/LibertinusSerif-Bold.otf"),
    include_bytes!("../fonts/LibertinusSerif-Italic.otf"),
    include_bytes!("../fonts/DejaVuSansMono.ttf"),
];

/// The fonts and their book, read once.
pub(super) struct Fonts {
    pub(super) all: Vec<Font>,
    pub(super) book: LazyHash<FontBook>,
}

/// Every font.
pub(super) static FONTS: LazyLock<Fonts> = LazyLock::new(|| {
    let all: Vec<Font> = FILES.iter().flat_map(|file| Font::iter(Bytes::new(*file))).collect();
    let book = LazyHash::new(FontBook::from_fonts(&all));
    Fonts { all, book }
});

/// The text with every letter that no font can draw spelled as `[U+4E2D]`: a page of an archived format may hold no box
/// in place of a letter, and no reader should have to guess what the box was.
pub(super) fn drawable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        let is_drawn = letter.is_ascii_whitespace()
            || FONTS.all.iter().any(|font| font.info().coverage.contains(u32::from(letter)));
        if is_drawn { out.push(letter) } else { out.push_str(&format!("[U+{:04X}]", u32::from(letter))) }
    }
    out
}
