//! A link as a QR code (ISO/IEC 18004), as an SVG for a screen or paper and as blocks for a terminal.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};

/// White modules on each side, as the standard wants.
const MARGIN: i32 = 4;

/// A link drawn as a QR code.
pub struct LinkCode {
    link: String,
    code: QrCode,
}

impl LinkCode {
    /// Draws a link, with at least level M of error correction; nothing for more than a code can hold, 2,331 bytes.
    pub fn of(link: &str) -> Option<LinkCode> {
        let code = QrCode::encode_text(link, QrCodeEcc::Medium).ok()?;
        Some(LinkCode { link: link.to_owned(), code })
    }

    /// Modules on each side, without the margin.
    pub fn modules(&self) -> i32 {
        self.code.size()
    }

    /// Whether a module is dark; none outside is.
    pub fn is_dark(&self, column: i32, row: i32) -> bool {
        self.code.get_module(column, row)
    }

    /// An SVG of black modules on white, whose title is the link.
    pub fn svg(&self) -> String {
        let side = self.modules() + 2 * MARGIN;
        let title = self.link.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let mut path = String::new();
        for row in 0..self.modules() {
            for column in (0..self.modules()).filter(|column| self.is_dark(*column, row)) {
                // Writing to a string does not fail.
                let _ = write!(path, "M{},{}h1v1h-1z", column + MARGIN, row + MARGIN);
            }
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" role=\"img\" shape-rendering=\"crispEdges\"><title>{title}</title>\
             <path fill=\"#fff\" d=\"M0,0h{side}v{side}h-{side}z\"/><path d=\"{path}\"/></svg>\n"
        )
    }

    /// Two modules a letter, the light ones drawn: for light letters on a dark ground, as terminals have them.
    pub fn blocks(&self) -> String {
        let side = -MARGIN..self.modules() + MARGIN;
        let mut text = String::new();
        for row in side.clone().step_by(2) {
            text.extend(side.clone().map(|column| {
                match (self.is_dark(column, row), self.is_dark(column, row + 1)) {
                    (false, false) => '█',
                    (false, true) => '▀',
                    (true, false) => '▄',
                    (true, true) => ' ',
                }
            }));
            text.push('\n');
        }
        text
    }
}
