//! The constructors of the filter classes of the Python package, and the method `remove`, which only the counting filter has.

use bloom_core::{Bloom, CounterBits, ScalableShape, Shape};
use pyo3::prelude::*;

use crate::error::{core, mistyped, value};
use crate::filter::{
    Any, BlockedBloomFilter, BloomFilter, CountingBloomFilter, Filter, PartitionedBloomFilter,
    ScalableBloomFilter,
};
use crate::keys::Keys;

/// Converts a number to an integer type, or returns an error that states the range of this type.
fn whole<T: TryFrom<i128>>(name: &str, got: i128) -> PyResult<T> {
    let max = u128::MAX >> (128 - 8 * size_of::<T>());
    T::try_from(got).map_err(|_| value(format!("{name} must be from 0 to {max}, got {got}")))
}

/// Returns the shape with `bits` and `hashes`, or the shape for `items` and `rate`. Any other combination is an error.
fn shape(
    items: Option<i128>,
    rate: Option<f64>,
    bits: Option<i128>,
    hashes: Option<i128>,
) -> PyResult<Shape> {
    match (items, rate, bits, hashes) {
        (Some(n), Some(p), None, None) => Shape::for_rate(whole("items", n)?, p).map_err(value),
        (None, None, Some(m), Some(k)) => {
            Shape::new(whole("bits", m)?, whole("hashes", k)?).map_err(value)
        }
        _ => Err(mistyped("give either items and rate, or bits and hashes")),
    }
}

#[pymethods]
impl BloomFilter {
    #[new]
    #[pyo3(signature = (items = None, rate = None, *, bits = None, hashes = None, keys = None, shared = false))]
    fn new(
        items: Option<i128>,
        rate: Option<f64>,
        bits: Option<i128>,
        hashes: Option<i128>,
        keys: Option<Keys>,
        shared: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let shape = shape(items, rate, bits, hashes)?;
        let any = Bloom::new(shape).map(Any::Basic).map_err(core)?;
        Ok(Filter::new(keys, shared, any)?.init(Self))
    }
}

#[pymethods]
impl BlockedBloomFilter {
    #[new]
    #[pyo3(signature = (items, rate, *, keys = None, shared = false))]
    fn new(
        items: i128,
        rate: f64,
        keys: Option<Keys>,
        shared: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let any = Any::Blocked(Bloom::with_rate(whole("items", items)?, rate).map_err(core)?);
        Ok(Filter::new(keys, shared, any)?.init(Self))
    }
}

#[pymethods]
impl PartitionedBloomFilter {
    #[new]
    #[pyo3(signature = (items, rate, *, keys = None))]
    fn new(items: i128, rate: f64, keys: Option<Keys>) -> PyResult<PyClassInitializer<Self>> {
        let any = Any::Partitioned(Bloom::with_rate(whole("items", items)?, rate).map_err(core)?);
        Ok(Filter::new(keys, false, any)?.init(Self))
    }
}

#[pymethods]
impl CountingBloomFilter {
    #[new]
    #[pyo3(signature = (items = None, rate = None, *, bits = None, hashes = None, counter_bits = 4, keys = None))]
    fn new(
        items: Option<i128>,
        rate: Option<f64>,
        bits: Option<i128>,
        hashes: Option<i128>,
        counter_bits: i128,
        keys: Option<Keys>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let mut widths = [CounterBits::Four, CounterBits::Eight].into_iter();
        let width = widths.find(|width| i128::from(width.bits()) == counter_bits);
        let wrong = || format!("counter_bits must be 4 or 8, got {counter_bits}");
        let width = width.ok_or_else(|| value(wrong()))?;
        let shape = shape(items, rate, bits, hashes)?;
        let any = Any::Counting(Bloom::with_counter_bits(shape, width).map_err(core)?);
        Ok(Filter::new(keys, false, any)?.init(Self))
    }

    /// Removes a key and returns whether it may have been there. A key that is certainly absent changes nothing.
    ///
    /// If a key is found but was never inserted, removing it can make the filter forget other keys.
    fn remove(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let filter = slf.as_super().get();
        let hash = filter.keys.hash(key)?;
        let removed = |any: &mut Any| any.remove_hash(hash);
        filter.any.write(key.py(), removed)?.map_err(core)
    }
}

#[pymethods]
impl ScalableBloomFilter {
    #[new]
    #[pyo3(signature = (items, rate, *, growth = None, tightening = None, keys = None))]
    fn new(
        items: i128,
        rate: f64,
        growth: Option<i128>,
        tightening: Option<f64>,
        keys: Option<Keys>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let shape = ScalableShape::new(whole("items", items)?, rate).map_err(value)?;
        let growth = whole("growth", growth.unwrap_or(shape.growth().into()))?;
        let tightening = tightening.unwrap_or(shape.tightening());
        let shape = shape.with_growth(growth).map_err(value)?;
        let shape = shape.with_tightening(tightening).map_err(value)?;
        let any = Bloom::new(shape).map(Any::Scalable).map_err(core)?;
        Ok(Filter::new(keys, false, any)?.init(Self))
    }
}
