//! The mark of a laboratory: one small PNG, decoded whole before it is taken, so that no report fails by it after hours.

use std::io::Cursor;

use png::{Decoder, Limits};

/// Its name in the package.
pub const LOGO: &str = "logo.png";

/// Longest file.
pub const BYTES_MAX: u64 = 256 << 10;

/// Longest picture, in bytes of its pixels.
const PIXELS_BYTES_MAX: usize = 16 << 20;

/// Whether it is a picture that can be shown.
///
/// # Errors
/// What was found, and what was wanted.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    let wanted =
        |fault: &dyn std::fmt::Display| format!("{fault}; wanted a whole PNG of at most 16 MiB of pixels");
    let decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: PIXELS_BYTES_MAX });
    let mut reader = decoder.read_info().map_err(|fault| wanted(&fault))?;
    let size = reader.output_buffer_size().filter(|size| *size <= PIXELS_BYTES_MAX);
    let size = size.ok_or_else(|| wanted(&"found too many pixels"))?;
    reader.next_frame(&mut vec![0; size]).map_err(|fault| wanted(&fault))?;
    reader.finish().map_err(|fault| wanted(&fault))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &[u8] = include_bytes!("../../../../fixtures/mark.png");

    #[test]
    fn a_whole_picture_is_taken_and_any_other_refused() {
        assert_eq!(check(MARK), Ok(()));
        for end in 0..MARK.len() {
            assert!(check(&MARK[..end]).is_err(), "{end} bytes");
        }
        let mut other = MARK.to_vec();
        other[45] ^= 1;
        assert!(check(&other).is_err_and(|fault| fault.contains("wanted a whole PNG")));
        // More pixels than a page could show: 60,000 by 60,000.
        let mut large = MARK.to_vec();
        large[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
        assert!(check(&large).is_err());
    }
}
