//! Defines what the commands report about Parquet files in a build without the feature `parquet`.

use std::io::Write;
use std::path::Path;

use bloom_params::InputError;

use crate::Stop;
use crate::args::{BuildArgs, InspectArgs, QueryArgs};

pub(crate) fn inspect(_: &InspectArgs, _: Option<f64>, _: &mut dyn Write) -> Result<u8, Stop> {
    Err(absent())
}

pub(crate) fn query(_: &QueryArgs, _: &mut dyn Write) -> Result<u8, Stop> {
    Err(absent())
}

pub(crate) fn build(_: &BuildArgs, _: &Path, _: &mut dyn Write) -> Result<u8, Stop> {
    Err(absent())
}

fn absent() -> Stop {
    let message =
        "Parquet files need the feature parquet, and this bloom-file was built without it";
    let hint = "it is a default feature; without it, --format parquet --offset BYTES reads a single filter";
    InputError::new(message).with_hint(hint).into()
}
