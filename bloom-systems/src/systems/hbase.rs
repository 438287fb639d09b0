//! Describes the filters of Apache HBase (Java).

use super::prelude::*;

/// The filter of one chunk of a file's keys. Whenever the filter is full, the file begins a new chunk with another filter.
pub const HBASE: System = System {
    name: "hbase",
    version: "master of 2026",
    source: "apache/hbase, BloomFilterUtil.java and BloomFilterChunk.java at 07739e11",
    note: "this is one chunk of a file, with BLOOMFILTER => ROW and 128 KiB, the defaults; more keys take more chunks of \
           the same rate",
    sizing: Sizing {
        rate: &[RateStep::Single],
        bits: Bits::Own(Own {
            rule: "the bits of a chunk, halved while half as many are enough for the items",
            of: chunk,
        }),
        hashes: Hashes::WithBits,
        ..USUAL
    },
    // HBase adds in 32 bits, and this scheme in 64. m is a power of two, so an overflow does not change a sum s modulo m. It
    // changes only the sign of the sum, and so can turn the position s mod m into -s mod m, or back.
    positions: Positions::Double(Scheme::Reflected),
    full: Full::Refuses,
    call: Template::of_rate(Language::Other, "io.storefile.bloom.error.rate={p}"),
    ..SYSTEM
};

/// The bits of the filter of a full chunk.
const CHUNK_BITS: u64 = 8 * (128 << 10);

/// Returns the bits and hashes of the filter of a file's last chunk, where this chunk has `items` items.
fn chunk(items: u64, rate: f64) -> Result<(u128, u64), Refusal> {
    let bits = CHUNK_BITS as f64;
    let ideal = (bits * (SQUARE / -libm::log(rate))) as u64;
    let per_item = (CHUNK_BITS / ideal.max(1)) as f64;
    let hashes = libm::ceil(LN_2 * per_item);
    let clear = libm::log(1.0 - libm::exp(libm::log(rate) / hashes));
    let mut most = (-bits / hashes * clear) as u64;
    if items > most {
        return Err(Refusal::Items { most, got: items });
    }
    let mut bits = CHUNK_BITS;
    while bits.is_multiple_of(16) && items < most.div_ceil(2) {
        bits /= 2;
        most /= 2;
    }
    Ok((bits.into(), hashes as u64))
}
