//! Converts filters to other forms: the base64 of Hudi, the JSON of the library for Go, and the bitset of Parquet without its
//! header.

use bloom_formats::{
    Format, FormatError, GoBloom, HadoopBloom, HadoopDynamicBloom, ParquetBloom, Rule,
};

/// Returns the base64 of a Hadoop filter without the blanks and line feeds that tools add. For bytes that cannot be such
/// base64, returns `?`, which is no base64.
///
/// # Errors
///
/// The memory must be available.
pub(super) fn text(bytes: &[u8]) -> Result<String, FormatError> {
    let start = bytes.trim_ascii_start();
    // A Hadoop filter starts with its version -1, or in its old form with its number of hashes. In base64, -1 starts with "//",
    // and a number below 2^20 starts with "AA". Text that starts with neither is not a filter, so it is not copied.
    let is_text = start.starts_with(b"//") || start.starts_with(b"AA");
    let text = is_text.then(|| std::str::from_utf8(bytes).ok()).flatten();
    let text = text.unwrap_or("?");
    let mut without = String::new();
    let room = without.try_reserve(text.len());
    room.map_err(|_| FormatError {
        format: Format::Hadoop,
        rule: Rule::Memory {
            bytes: text.len() as u64,
        },
    })?;
    without.extend(text.split_ascii_whitespace());
    Ok(without)
}

pub(super) fn hudi(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    Ok(HadoopBloom::borrowed(bytes)?.to_base64()?.into_bytes())
}

pub(super) fn hudi_dynamic(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    let filter = HadoopDynamicBloom::borrowed(bytes)?;
    Ok(filter.to_base64()?.into_bytes())
}

pub(super) fn go_json(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    Ok(GoBloom::borrowed(bytes)?.to_json()?.into_bytes())
}

pub(super) fn parquet_bitset(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    ParquetBloom::borrowed(bytes)?.to_bitset()
}
