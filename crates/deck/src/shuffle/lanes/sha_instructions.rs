//! The hand keys of the audit path by the SHA instructions of x86-64, several hands interleaved.

use std::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_sha256msg1_epu32, _mm_sha256msg2_epu32,
    _mm_sha256rnds2_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_unpackhi_epi32, _mm_unpackhi_epi64,
    _mm_unpacklo_epi32, _mm_unpacklo_epi64,
};

use bytemuck::cast;

use crate::deck::block::BLOCK_HANDS;
use crate::shuffle::lanes::WordRow;
use crate::shuffle::lanes::message::{OUTER_SUFFIX, PREFIX, ROUNDS, SUFFIX};

/// Hands in flight: one alone waits for the latency of its own rounds.
const HANDS: usize = 4;

/// Four words, the first in the lowest lane.
type Four = __m128i;

/// A state as the instructions want it: `[f, e, b, a]` and `[h, g, d, c]`.
type State = [Four; 2];

/// One compression of every hand from the same state. A macro, so that what all hands share, such as
/// the first eight rounds of the inner block, leaves the loop over the hands.
macro_rules! compress {
    ($start:expr, $messages:expr) => {{
        let (start, mut messages): (State, [[Four; 4]; HANDS]) = ($start, $messages);
        let mut states = [start; HANDS];
        compress!(@rounds states, messages, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        states.map(|state| [_mm_add_epi32(state[0], start[0]), _mm_add_epi32(state[1], start[1])])
    }};
    (@rounds $states:ident, $messages:ident, $($quad:literal)*) => { $(
        for (state, message) in $states.iter_mut().zip(&mut $messages) {
            four_rounds(state, message, $quad);
        }
    )* };
}

/// The hand keys of the indices `high·2^32 + (low + lane mod 2^32)`, as little-endian words.
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn derive(inner: &[u32; 8], outer: &[u32; 8], high: u32, low: u32, keys: &mut [WordRow; 8]) {
    let (inner, outer) = (state(inner), state(outer));
    let start: Four = cast([PREFIX[0], PREFIX[1], PREFIX[2], PREFIX[3]]);
    let then: Four = cast([PREFIX[4], PREFIX[5], PREFIX[6], high]);
    let end: Four = cast([SUFFIX[3], SUFFIX[4], SUFFIX[5], SUFFIX[6]]);
    let pad: [Four; 2] = cast(OUTER_SUFFIX);
    for first in (0..BLOCK_HANDS).step_by(HANDS) {
        let messages: [_; HANDS] = std::array::from_fn(|hand| {
            let index = low.wrapping_add((first + hand) as u32);
            [start, then, cast([index, SUFFIX[0], SUFFIX[1], SUFFIX[2]]), end]
        });
        let digests = compress!(inner, messages);
        let messages = digests.map(|digest| {
            let [front, back] = words(digest);
            [front, back, pad[0], pad[1]]
        });
        let digests = compress!(outer, messages).map(|digest| words(digest).map(|four| swap_bytes(four)));
        for (half, rows) in keys.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let columns = transposed(std::array::from_fn(|hand| digests[hand][half]));
            for (row, column) in rows.iter_mut().zip(columns) {
                row.as_chunks_mut::<HANDS>().0[first / HANDS] = cast(column);
            }
        }
    }
}

/// Rounds `4·quad .. 4·quad + 4`; the schedule lives in a ring of four.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn four_rounds(state: &mut State, message: &mut [Four; 4], quad: usize) {
    let constants: Four =
        cast([ROUNDS[4 * quad], ROUNDS[4 * quad + 1], ROUNDS[4 * quad + 2], ROUNDS[4 * quad + 3]]);
    let now = quad % 4;
    if quad >= 4 {
        let [next, later, last] = [message[(quad + 1) % 4], message[(quad + 2) % 4], message[(quad + 3) % 4]];
        let near = _mm_sha256msg1_epu32(message[now], next);
        let sum = _mm_add_epi32(near, _mm_alignr_epi8::<4>(last, later));
        message[now] = _mm_sha256msg2_epu32(sum, last);
    }
    let added = _mm_add_epi32(message[now], constants);
    state[1] = _mm_sha256rnds2_epu32(state[1], state[0], added);
    state[0] = _mm_sha256rnds2_epu32(state[0], state[1], _mm_shuffle_epi32::<0x0e>(added));
}

/// Words a … h as the instructions want them.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn state([a, b, c, d, e, f, g, h]: &[u32; 8]) -> State {
    [cast([*f, *e, *b, *a]), cast([*h, *g, *d, *c])]
}

/// A state as its words a … d and e … h.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn words([feba, hgdc]: State) -> [Four; 2] {
    let (abef, cdgh) = (_mm_shuffle_epi32::<0x1b>(feba), _mm_shuffle_epi32::<0x1b>(hgdc));
    [_mm_unpacklo_epi64(abef, cdgh), _mm_unpackhi_epi64(abef, cdgh)]
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn swap_bytes(four: Four) -> Four {
    _mm_shuffle_epi8(four, cast([3u8, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]))
}

/// Rows of hands become rows of words.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn transposed([a, b, c, d]: [Four; 4]) -> [Four; 4] {
    let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
    [
        _mm_unpacklo_epi64(ab, cd),
        _mm_unpackhi_epi64(ab, cd),
        _mm_unpacklo_epi64(ab_high, cd_high),
        _mm_unpackhi_epi64(ab_high, cd_high),
    ]
}
