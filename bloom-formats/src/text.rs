//! Encodes bytes as base64 text, and decodes such text.

use alloc::string::String;
use alloc::vec::Vec;

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine, alphabet, decoded_len_estimate, encoded_len};

use crate::error::{Format, FormatError, Rule};
use crate::words::reserved;

/// Base64 in the standard alphabet. Texts are written with padding. Texts without padding are read, too, as by the decoders of
/// Java.
pub(crate) const STANDARD: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Decodes a text in the alphabet, and with the padding, for which `engine` is made.
pub(crate) fn decoded(
    format: Format,
    engine: &GeneralPurpose,
    text: &str,
) -> Result<Vec<u8>, FormatError> {
    let length = decoded_len_estimate(text.len());
    let mut bytes = reserved(format, length as u64)?;
    bytes.resize(length, 0);
    let decoded = engine.decode_slice_unchecked(text, &mut bytes);
    let length = decoded.map_err(|error| {
        let offset = match error {
            DecodeError::InvalidByte(offset, _) | DecodeError::InvalidLastSymbol(offset, _) => {
                offset
            }
            DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => text.len(),
        };
        format.error(Rule::Base64 {
            offset: offset as u64,
        })
    })?;
    bytes.truncate(length);
    Ok(bytes)
}

/// Encodes bytes in the standard alphabet, padded.
pub(crate) fn encoded(format: Format, bytes: &[u8]) -> Result<String, FormatError> {
    let refused = format.memory((bytes.len() as u64).saturating_mul(4) / 3);
    let length = encoded_len(bytes.len(), true).ok_or(refused)?;
    let mut text = String::new();
    text.try_reserve_exact(length).map_err(|_| refused)?;
    STANDARD.encode_string(bytes, &mut text);
    Ok(text)
}
