//! A Bloom filter on a board without an allocator: the bits are in a static array.
//!
//! The board is a gateway that hears every device many times, but forwards the address of each device only once. It remembers
//! 1,000 devices in a filter of 1,200 bytes, where a table of their 64-bit addresses would take 8,000 bytes. Once the filter
//! has 1,000 devices, about 1 in 100 new devices is not forwarded, because the filter finds it although it is new.
//!
//! ```text
//! rustup target add thumbv7em-none-eabihf
//! cd bloom-core/examples/embedded && cargo run --release    # in QEMU: qemu-system-arm
//! ```
//!
//! The program prints, by semihosting, how many devices it forwarded, how many others it found although they were not inserted,
//! and how much stack an insert and a query took. It fails if it forwarded too few devices, forwarded one twice, or found too
//! many devices that were not inserted. The command `arm-none-eabi-size -A target/thumbv7em-none-eabihf/release/embedded`
//! prints the sizes of the parts of the program: its code takes 19 KB (`.text`); the bits of the filter are in `.bss`. With
//! `--features sizing` the board also computes sizes of standard, blocked and partitioned filters from numbers of items and
//! rates. This takes 39 KB more of code and, for a moment, up to 4 KB of the stack.

#![no_std]
#![no_main]

use bloom_core::{BloomFilter, BuildError, Shape};
use cortex_m::register::msp;
use cortex_m_rt::{ExceptionFrame, entry, exception};
use cortex_m_semihosting::{debug, hprintln};

/// The number of devices that the filter is sized for.
const DEVICES: u64 = 1_000;

/// The bits and hashes that the calculator `bloom-params` prints for 1,000 items at a rate of 1 %.
const BITS: u64 = 9_595;
const HASHES: u8 = 7;

#[entry]
fn main() -> ! {
    // In `main`, which runs once, the macro `entry` makes `MEMORY` a `&'static mut`.
    static mut MEMORY: [u64; BITS.div_ceil(64) as usize] = [0; BITS.div_ceil(64) as usize];
    end(run(MEMORY).is_ok_and(|fine| fine) && sizing())
}

/// Ends QEMU, with the exit code of a success if `fine` is true, or else of a failure.
fn end(fine: bool) -> ! {
    loop {
        debug::exit(if fine {
            debug::EXIT_SUCCESS
        } else {
            debug::EXIT_FAILURE
        });
    }
}

/// Returns whether nearly all devices were forwarded, none was forwarded twice, and few devices that were not inserted are
/// found.
fn run(memory: &'static mut [u64]) -> Result<bool, BuildError> {
    let bytes = size_of_val(memory);
    let mut seen = BloomFilter::<u64, _, _>::new_in(Shape::new(BITS, HASHES)?, memory)?;
    let forwarded = addresses(0..DEVICES).filter(|one| seen.insert(one)).count();
    let again = addresses(0..DEVICES).filter(|one| seen.insert(one)).count();
    let others = addresses(DEVICES..DEVICES + 10_000);
    let found = others.filter(|one| seen.contains(one)).count();
    let [new, other] = [1 << 20, 1 << 21];
    let stack = stack_of(|| _ = seen.insert(&new) && seen.contains(&other));
    hprintln!(
        "{} devices in {} bytes; an insert and a query took {} bytes of stack",
        DEVICES,
        bytes,
        stack
    );
    hprintln!("{} forwarded when new, {} when known", forwarded, again);
    hprintln!("{} of 10000 absent devices are found", found);
    // On average 1.7 of the 1,000 devices are false positives when they are inserted, and not forwarded. Of the 10,000 others,
    // 100 are found on average. The standard deviation of this number is 10 for random queries of one filter; the number to
    // expect differs between filters with a standard deviation of 4.
    Ok(forwarded > 980 && again == 0 && found < 170)
}

/// Returns the addresses of the devices with these numbers. The last bytes of an address are the number.
fn addresses(numbers: core::ops::Range<u64>) -> impl Iterator<Item = u64> {
    numbers.map(|number| 0x00b0_d000_0000 | number)
}

/// Returns whether the board can compute sizes from numbers of items and rates: the size for 1,000 items and 1 % is `BITS`
/// and `HASHES`, there is a size for every other number and rate below, and no computation takes more than 4,096 bytes of
/// stack.
#[cfg(feature = "sizing")]
fn sizing() -> bool {
    use bloom_core::{BlockedShape, PartitionedBloomFilter};

    let [mut plain, mut blocked, mut partitioned] = [0; 3];
    for items in [1, 10, 100, DEVICES, 10_000, 1_000_000] {
        // The lowest of these rates needs 32 hashes. Without an allocator, a rate that needs more hashes is an error.
        for rate in [0.5, 0.1, 0.01, 1e-4, 1e-6, 1e-8, 2.4e-10] {
            let mut shape = None;
            plain = plain.max(stack_of(|| shape = Shape::for_rate(items, rate).ok()));
            let is_ours = (items, rate) == (DEVICES, 0.01);
            if shape.is_none() || is_ours && shape != Shape::new(BITS, HASHES).ok() {
                return false;
            }
            let size = || _ = BlockedShape::for_rate(items, rate);
            blocked = blocked.max(stack_of(size));
            // The constructor computes the size, and then fails because `none` is too short.
            let none: &mut [u64] = &mut [];
            let size = || _ = PartitionedBloomFilter::<u64, _, _>::with_rate_in(items, rate, none);
            partitioned = partitioned.max(stack_of(size));
        }
    }
    hprintln!("bytes of stack to size a standard filter: {}", plain);
    hprintln!("a blocked one: {}, partitioned: {}", blocked, partitioned);
    plain.max(blocked).max(partitioned) <= 4096
}

#[cfg(not(feature = "sizing"))]
fn sizing() -> bool {
    true
}

/// Returns how many bytes of the stack a call takes: fills the free stack with a pattern, and then counts how much of it the
/// call overwrote.
#[inline(never)]
fn stack_of(call: impl FnOnce()) -> usize {
    unsafe extern "C" {
        static mut _stack_end: u32;
    }
    const PAINT: u32 = 0xb100_b100;
    const SLACK: usize = 32;
    let end = &raw mut _stack_end;
    // The slack leaves room for what this function itself pushes onto the stack.
    let free = (msp::read() as usize - SLACK - end.addr()) / 4;
    for word in 0..free {
        // SAFETY: nothing uses the memory between the end of the stack and the frame of this function.
        unsafe { end.add(word).write_volatile(PAINT) };
    }
    call();
    // SAFETY: these words are part of the stack, and were written above.
    let is_painted = |word: &usize| unsafe { end.add(*word).read_volatile() } == PAINT;
    let kept = (0..free).take_while(is_painted).count();
    4 * (free - kept) + SLACK
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    end(false)
}

// SAFETY: the handler uses no memory of the interrupted program.
#[exception]
unsafe fn HardFault(_: &ExceptionFrame) -> ! {
    end(false)
}
