//! Values of options: numbers of decks, shards.

use crate::audit::plan::Shard;
use crate::battery::Tier;

/// The most decks a plan may ask for: 2^53, so that every reader of JSON keeps the number.
const DECKS_MAX: u64 = 1 << 53;

/// Reads `1000000`, `1_000_000`, `1,000,000`, `1e6` and `2.5e9`.
pub(in crate::cli) fn parse_decks(text: &str) -> Result<u64, String> {
    let wanted = "wanted a whole number of decks from 1 to 2^53, such as 1000000, 1e6 or 2.5e9";
    let plain: String = text.chars().filter(|&c| c != '_' && c != ',').collect();
    let decks = plain.parse::<u64>().ok().or_else(|| scientific(&plain));
    match decks {
        Some(decks) if (1..=DECKS_MAX).contains(&decks) => Ok(decks),
        _ => Err(format!("found {text:?}, {wanted}")),
    }
}

/// `mantissa e exponent` as an exact whole number: no float is asked what it holds.
fn scientific(text: &str) -> Option<u64> {
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let exponent: usize = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let zeros = exponent.checked_sub(fraction.len())?;
    if zeros > 18 || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format!("{whole}{fraction}{}", "0".repeat(zeros)).parse().ok()
}

/// Reads `i/n` with 1 ≤ i ≤ n.
pub(in crate::cli) fn parse_shard(text: &str) -> Result<Shard, String> {
    let shard = text
        .split_once('/')
        .and_then(|(index, count)| Some(Shard { index: index.parse().ok()?, count: count.parse().ok()? }));
    shard
        .filter(|shard| (1..=shard.count).contains(&shard.index))
        .ok_or_else(|| format!("found {text:?}, wanted i/n with i from 1 to n, such as 2/5"))
}

/// Reads the name of a tier.
pub(in crate::cli) fn parse_tier(text: &str) -> Result<Tier, String> {
    let names = Tier::ALL.map(Tier::name).join(" or ");
    Tier::ALL
        .into_iter()
        .find(|tier| tier.name() == text)
        .ok_or_else(|| format!("found {text:?}, wanted {names}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_decks_in_every_spelling() {
        for (text, decks) in [
            ("1000000", 1_000_000),
            ("1e6", 1_000_000),
            ("2.5e9", 2_500_000_000),
            ("1_000", 1_000),
            ("1.50e1", 15),
        ] {
            assert_eq!(parse_decks(text), Ok(decks), "{text}");
        }
        for text in ["0", "", "e6", "1.5", "1.55e1", "-1", "1e19", "0x10", "1e", "nan"] {
            assert!(parse_decks(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shards_count_from_one() {
        assert_eq!(parse_shard("2/5"), Ok(Shard { index: 2, count: 5 }));
        for text in ["0/5", "6/5", "1", "1/0", "a/b"] {
            assert!(parse_shard(text).is_err(), "{text}");
        }
    }
}
