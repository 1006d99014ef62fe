//! Amounts with a decimal point, kept as whole numbers of the smallest unit.

/// A decimal number `digits · 10^-decimals`, not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    /// The digits without the point.
    pub digits: u64,
    /// How many of them stand after the point.
    pub decimals: u32,
}

/// More decimals than any currency has.
const DECIMALS_MAX: usize = 8;

impl Decimal {
    /// Reads `250000`, `0.25`, `9,999.99`; trailing zeros after the point do not count.
    pub fn parse(text: &str) -> Option<Decimal> {
        let text = text.replace([',', '_'], "");
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        let part = part.trim_end_matches('0');
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(whole) || !is_digits(part) || text.trim_matches('.').is_empty() {
            return None;
        }
        if part.len() > DECIMALS_MAX {
            return None;
        }
        let digits = format!("{whole}{part}").parse().ok()?;
        Some(Decimal { digits, decimals: part.len() as u32 })
    }

    /// The number in thousandths, finer digits cut off.
    pub fn thousandths(self) -> Option<u64> {
        match 3u32.checked_sub(self.decimals) {
            Some(_) => self.scaled(3),
            None => Some(self.digits / 10u64.checked_pow(self.decimals - 3)?),
        }
    }

    /// The number in units of `10^-decimals`, if it fits.
    pub fn scaled(self, decimals: u32) -> Option<u64> {
        self.digits.checked_mul(10u64.checked_pow(decimals.checked_sub(self.decimals)?)?)
    }
}

/// An amount with its point set: `text(25, 2)` is `0.25`.
pub fn text(amount: u64, decimals: u32) -> String {
    if decimals == 0 {
        return amount.to_string();
    }
    let unit = 10u64.pow(decimals);
    format!("{}.{:0width$}", amount / unit, amount % unit, width = decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_without_rounding() {
        for (text, digits, decimals) in [("250000", 250_000, 0), ("0.25", 25, 2), ("9,999.90", 99_999, 1)] {
            assert_eq!(Decimal::parse(text), Some(Decimal { digits, decimals }), "{text}");
        }
        for text in ["", ".", "-1", "1e3", "1.2.3", "0.123456789", "99999999999999999999"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        assert_eq!(Decimal { digits: 5, decimals: 1 }.scaled(2), Some(50));
        assert_eq!(text(5, 2), "0.05");
        for (text, thousandths) in [("30", 30_000), ("29.5", 29_500), ("29.9999", 29_999), ("0.25", 250)] {
            assert_eq!(Decimal::parse(text).and_then(Decimal::thousandths), Some(thousandths), "{text}");
        }
    }
}
