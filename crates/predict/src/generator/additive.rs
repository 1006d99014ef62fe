//! Additive feedback generators: sums of two earlier words, the oldest word first in a state.

use crate::generator::Generator;

/// Words of glibc's `random()`.
pub const GLIBC_LONG: usize = 31;

/// Its shorter lag.
pub const GLIBC_SHORT: usize = 3;

/// `r[i] = r[i − 3] + r[i − 31] mod 2^32`, of which the 31 upper bits come out.
pub static GLIBC_RANDOM: Generator = Generator {
    name: "glibc-random",
    source: "glibc random_r.c, TYPE_3; rand(), random(); 4.3BSD",
    words: GLIBC_LONG,
    state_bits: 992.0,
    max: (1 << 31) - 1,
    next: |state| {
        let word = (state[0] + state[GLIBC_LONG - GLIBC_SHORT]) & 0xffff_ffff;
        state.rotate_left(1);
        state[GLIBC_LONG - 1] = word;
        word >> 1
    },
    ..Generator::PLAIN
};
