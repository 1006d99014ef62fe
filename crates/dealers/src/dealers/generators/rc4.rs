//! RC4, whose first bytes are biased: the second is 0 twice too often (Mantin & Shamir 2001).

/// The permutation and its two pointers.
pub(super) struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    /// The key schedule.
    pub(super) fn new(key: &[u8]) -> Rc4 {
        let mut state: [u8; 256] = std::array::from_fn(|i| i as u8);
        let mut j = 0u8;
        for i in 0..256 {
            j = j.wrapping_add(state[i]).wrapping_add(key[i % key.len()]);
            state.swap(i, usize::from(j));
        }
        Rc4 { state, i: 0, j: 0 }
    }

    /// The next byte of the keystream.
    pub(super) fn byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        let here = usize::from(self.i);
        self.j = self.j.wrapping_add(self.state[here]);
        self.state.swap(here, usize::from(self.j));
        let sum = self.state[here].wrapping_add(self.state[usize::from(self.j)]);
        self.state[usize::from(sum)]
    }

    /// A byte modulo the range, drawn again past the last multiple: exact if the bytes were.
    pub(super) fn below(&mut self, range: u32) -> u32 {
        let limit = 256 - 256 % range;
        loop {
            let byte = u32::from(self.byte());
            if byte < limit {
                return byte % range;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keystream_of_rfc_6229() {
        // RFC 6229, section 2, key 0x0102030405, offset 0.
        let expected =
            [0xb2, 0x39, 0x63, 0x05, 0xf0, 0x3d, 0xc0, 0x27, 0xcc, 0xc3, 0x52, 0x4a, 0x0a, 0x11, 0x18, 0xa8];
        let mut generator = Rc4::new(&[1, 2, 3, 4, 5]);
        assert_eq!(std::array::from_fn(|_| generator.byte()), expected);
    }
}
