//! The functions of the WebAssembly modules that a page calls through `live.js`. Numbers that may exceed 32 bits are
//! `f64`, as all numbers of JavaScript are. The methods of `Session` say what the functions return.

// The attribute `no_mangle` counts as unsafe. Nothing here reads memory by an address.
#![allow(unsafe_code)]

use core::cell::RefCell;

use crate::session::Session;
#[cfg(not(feature = "calculator"))]
use crate::session::whole;

#[cfg(not(feature = "calculator"))]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

#[cfg(not(feature = "calculator"))]
#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// The filters and buffers of the page.
struct Page(RefCell<Session>);

// SAFETY: a module of this target has one thread.
unsafe impl Sync for Page {}

static PAGE: Page = Page(RefCell::new(Session::new()));

/// Exports functions whose bodies use the session of the page.
macro_rules! exports {
    ($($name:ident($session:ident $(, $argument:ident: $type:ty)*) -> $result:ty { $value:expr })*) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: $type),*) -> $result {
                let $session = &mut *PAGE.0.borrow_mut();
                $value
            }
        )*
    };
}

exports! {
    // Resizes the buffer for texts and returns its address. A page writes a text there, or reads an answer.
    text(session, length: usize) -> *mut u8 {
        {
            session.text.resize(length, 0);
            session.text.as_mut_ptr()
        }
    }
    numbers(session) -> *const f64 { session.numbers.as_ptr() }
}

#[cfg(not(feature = "calculator"))]
exports! {
    filter_new(session, counting: bool, bits: f64, k: u32) -> i32 {
        session.new_filter(counting, bits, k)
    }
    filter_free(session, filter: usize) -> () { session.free(filter) }
    insert(session, filter: usize) -> bool { session.insert(filter) }
    insert_numbers(session, filter: usize, from: f64, to: f64) -> f64 {
        session.filter(filter).insert_numbers(whole(from)..whole(to)) as f64
    }
    contains(session, filter: usize) -> bool { session.contains(filter) }
    contains_numbers(session, filter: usize, from: f64, to: f64) -> f64 {
        session.filter(filter).contains_numbers(whole(from)..whole(to)) as f64
    }
    remove(session, filter: usize) -> bool { session.remove(filter) }
    clear(session, filter: usize) -> () { session.filter(filter).clear() }
    fill(session, filter: usize) -> f64 { session.filter(filter).fill() }
    rate(session, filter: usize) -> f64 { session.filter(filter).rate() }
    expected_rate(session, filter: usize, items: f64) -> f64 {
        session.filter(filter).expected_rate(whole(items))
    }
    positions(session, filter: usize) -> i32 { session.positions(filter) }
    quarters(session) -> i32 { session.quarters() }
    cells(session, filter: usize) -> i32 { session.cells(filter) }
    growing_new(session, items: f64, rate: f64, growth: u32, ratio: f64) -> i32 {
        session.new_growing(items, rate, growth, ratio)
    }
    stages(session, filter: usize) -> i32 { session.stages(filter) }
    curve(session, model: u32, last: f64, steps: u32, bits: f64, k: u32) -> i32 {
        session.curve(model, last, steps, bits, k)
    }
    sizes(session, items: f64, length: f64, rate: f64) -> i32 {
        session.sizes(items, length, rate)
    }
    rates_of_many(session, items: f64, bits: f64, k: u32, from: f64, to: f64) -> i32 {
        session.rates_of_many(items, bits, k, from, to)
    }
    mean(session, count: usize) -> f64 { session.mean(count) }
    derived(session, scheme: u32, a: f64, b: f64, bits: f64, k: u32) -> i32 {
        session.derived(scheme, a, b, bits, k)
    }
}

#[cfg(feature = "calculator")]
exports! {
    solve(session) -> i32 { session.solve() }
    systems(session) -> i32 { session.systems() }
    page(session, times: u32, steps: u32) -> i32 { session.page(times, steps) }
    excess(session, scheme: u32, items: f64, bits: f64, k: u32) -> i32 {
        session.excess(scheme, items, bits, k)
    }
}
