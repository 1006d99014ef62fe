//! The cache of V8: 64 numbers at a time, handed out from the last to the first.

/// Numbers of a cache.
pub const SIZE: usize = 64;

/// The step whose output a call takes, of a cache of which so many numbers are left before the first call.
pub fn step(call: usize, left: usize) -> usize {
    let from_end = call + SIZE - left;
    from_end / SIZE * SIZE + (SIZE - 1 - from_end % SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_handed_out_backwards() {
        assert_eq!([0, 1, 63, 64].map(|call| step(call, 64)), [63, 62, 0, 127]);
        assert_eq!([0, 1, 2].map(|call| step(call, 2)), [1, 0, 127]);
    }
}
