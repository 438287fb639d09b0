//! The constructors of the classes of filters, and the methods of single kinds.

use bloom_core::{Bloom, CounterBits, ScalableShape, Shape};
use pyo3::prelude::*;

use crate::error::{core, mistyped, value};
use crate::filter::{
    Any, BlockedBloomFilter, BloomFilter, CountingBloomFilter, Filter, PartitionedBloomFilter,
    ScalableBloomFilter,
};
use crate::keys::Keys;

/// Returns the given shape, or the shape for the given rate.
fn shape(
    items: Option<u64>,
    rate: Option<f64>,
    bits: Option<u64>,
    hashes: Option<u8>,
) -> PyResult<Shape> {
    match (items, rate, bits, hashes) {
        (Some(items), Some(rate), None, None) => Shape::for_rate(items, rate).map_err(value),
        (None, None, Some(bits), Some(hashes)) => Shape::new(bits, hashes).map_err(value),
        _ => Err(mistyped("give either items and rate, or bits and hashes")),
    }
}

#[pymethods]
impl BloomFilter {
    #[new]
    #[pyo3(signature = (items = None, rate = None, *, bits = None, hashes = None, keys = None, shared = false))]
    fn new(
        items: Option<u64>,
        rate: Option<f64>,
        bits: Option<u64>,
        hashes: Option<u8>,
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
        items: u64,
        rate: f64,
        keys: Option<Keys>,
        shared: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let any = Any::Blocked(Bloom::with_rate(items, rate).map_err(core)?);
        Ok(Filter::new(keys, shared, any)?.init(Self))
    }
}

#[pymethods]
impl PartitionedBloomFilter {
    #[new]
    #[pyo3(signature = (items, rate, *, keys = None))]
    fn new(items: u64, rate: f64, keys: Option<Keys>) -> PyResult<PyClassInitializer<Self>> {
        let any = Any::Partitioned(Bloom::with_rate(items, rate).map_err(core)?);
        Ok(Filter::new(keys, false, any)?.init(Self))
    }
}

#[pymethods]
impl CountingBloomFilter {
    #[new]
    #[pyo3(signature = (items = None, rate = None, *, bits = None, hashes = None, counter_bits = 4, keys = None))]
    fn new(
        items: Option<u64>,
        rate: Option<f64>,
        bits: Option<u64>,
        hashes: Option<u8>,
        counter_bits: u32,
        keys: Option<Keys>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let mut widths = [CounterBits::Four, CounterBits::Eight].into_iter();
        let width = widths.find(|width| width.bits() == counter_bits);
        let wrong = || format!("counter_bits must be 4 or 8, got {counter_bits}");
        let width = width.ok_or_else(|| value(wrong()))?;
        let shape = shape(items, rate, bits, hashes)?;
        let any = Any::Counting(Bloom::with_counter_bits(shape, width).map_err(core)?);
        Ok(Filter::new(keys, false, any)?.init(Self))
    }

    /// Removes a key and returns whether it may have been there; removing a key that is certainly absent changes nothing.
    ///
    /// Removing a key that was never inserted, but is found, can make the filter forget others.
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
        items: u64,
        rate: f64,
        growth: Option<u32>,
        tightening: Option<f64>,
        keys: Option<Keys>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let shape = ScalableShape::new(items, rate).map_err(value)?;
        let growth = growth.unwrap_or(shape.growth());
        let tightening = tightening.unwrap_or(shape.tightening());
        let shape = shape.with_growth(growth).map_err(value)?;
        let shape = shape.with_tightening(tightening).map_err(value)?;
        let any = Bloom::new(shape).map(Any::Scalable).map_err(core)?;
        Ok(Filter::new(keys, false, any)?.init(Self))
    }
}
