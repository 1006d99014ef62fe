//! A 2-of-2 split: the first share is random, the second what was split XOR the first.

use zeroize::Zeroizing;

/// How the shares are called.
pub const SHARE_NAMES: [&str; 2] = ["a", "b"];

/// Splits bytes in two, each as long as they are and by itself random.
///
/// # Errors
/// If the operating system gives no random bytes.
pub fn split(bytes: &[u8]) -> Result<[Zeroizing<Vec<u8>>; 2], getrandom::Error> {
    let mut first = Zeroizing::new(vec![0; bytes.len()]);
    getrandom::fill(&mut first)?;
    let second = Zeroizing::new(bytes.iter().zip(first.iter()).map(|(byte, random)| byte ^ random).collect());
    Ok([first, second])
}

/// Puts both together again; nothing if they differ in length.
pub fn join(shares: &[Zeroizing<Vec<u8>>; 2]) -> Option<Zeroizing<Vec<u8>>> {
    let [first, second] = shares;
    let joined = || first.iter().zip(second.iter()).map(|(first, second)| first ^ second).collect();
    (first.len() == second.len()).then(|| Zeroizing::new(joined()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_shares_give_the_bytes_and_each_of_them_is_different_every_time() {
        let secret = b"what opens the hand".repeat(9);
        let shares = split(&secret).expect("random bytes");
        assert_eq!(*join(&shares).expect("two of one length"), secret);
        let others = split(&secret).expect("random bytes");
        for number in 0..2 {
            assert_ne!(*shares[number], *others[number]);
            assert_ne!(*shares[number], secret);
        }
        let [first, _] = shares;
        let [_, second] = others;
        assert_ne!(*join(&[first, second]).expect("two of one length"), secret);
        let odd = [Zeroizing::new(vec![1]), Zeroizing::new(vec![1, 2])];
        assert!(join(&odd).is_none());
    }
}
