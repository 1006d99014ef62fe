//! `Math.random` of V8 since 2015: xorshift128+ (Vigna 2014, "Further scramblings of Marsaglia's xorshift generators",
//! section 5) without its sum, so that every bit is linear, handed out 64 numbers at a time from the last to the first.

/// Numbers made at a time.
const CACHE: usize = 64;

/// The generator of one page or Node.js process.
pub(super) struct V8 {
    state: [u64; 2],
    cache: [u64; CACHE],
    left: usize,
}

impl V8 {
    /// As `node --random-seed` seeds it.
    pub(super) fn new(seed: u64) -> V8 {
        V8 { state: [murmur(seed), murmur(!seed)], cache: [0; CACHE], left: 0 }
    }

    /// `floor(Math.random() * range)`; the number has 52 bits.
    pub(super) fn below(&mut self, range: u32) -> u32 {
        if self.left == 0 {
            self.cache = std::array::from_fn(|_| self.step() >> 12);
            self.left = CACHE;
        }
        self.left -= 1;
        ((u128::from(self.cache[self.left]) * u128::from(range)) >> 52) as u32
    }

    fn step(&mut self) -> u64 {
        let [mut old, new] = self.state;
        old ^= old << 23;
        old ^= old >> 17;
        self.state = [new, old ^ new ^ new >> 26];
        new
    }
}

/// The last steps of MurmurHash3 (Appleby 2011), `fmix64`.
fn murmur(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}
