//! The items that an examination inserts and queries. There are several kinds of items, such as sequential integers; a kind is
//! a function from numbers to items.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// A kind of items, such as *sequential integers*: a number below [`Kind::NUMBERS`] gives an item, and different numbers
/// give different items.
pub struct Kind<T: Item + ?Sized> {
    name: String,
    item: Arc<dyn Fn(u64) -> T::Owned + Send + Sync>,
}

impl<T: Item + ?Sized> Kind<T> {
    /// All numbers of a kind are below this limit: 2^32.
    pub const NUMBERS: u64 = 1 << 32;

    /// Creates a kind of your own. Different numbers below [`NUMBERS`](Self::NUMBERS) must give different items.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_fuzz_kit::Kind;
    ///
    /// let pages = Kind::<str>::new("pages of a site", |number| format!("https://example.org/{number}"));
    /// assert_eq!(pages.item(7), "https://example.org/7");
    /// ```
    pub fn new(
        name: impl Into<String>,
        item: impl Fn(u64) -> T::Owned + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            item: Arc::new(item),
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the item that this number gives.
    pub fn item(&self, number: u64) -> T::Owned {
        (self.item)(number)
    }
}

impl<T: Item + ?Sized> Clone for Kind<T> {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            item: Arc::clone(&self.item),
        }
    }
}

impl<T: Item + ?Sized> fmt::Debug for Kind<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kind").field(&self.name).finish()
    }
}

/// A type of items, with the kinds of such items that filters are filled with. Implement it for a type of your own to examine
/// filters of such items.
pub trait Item: 'static {
    /// The item as a value, such as `String` for `str`.
    type Owned: Borrow<Self> + Clone + fmt::Debug + Send + Sync;

    /// Returns the kinds. The items of the first kind must look random; this kind is used most often.
    fn kinds() -> Vec<Kind<Self>>;
}

/// Mixes a number so that its bits look random. Different numbers give different results.
///
/// Source: the finalizer of Steele, Lea and Flood (2014), *Fast splittable pseudorandom number generators*, with the
/// constants of Stafford's Mix13.
pub(crate) fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Maps a number below 2^32 to another one by four rounds of a Feistel network, which is a permutation.
fn mixed_32(number: u64) -> u32 {
    let (mut left, mut right) = ((number >> 16) as u16, number as u16);
    for round in 0..4 {
        let turned = mixed(round << 16 | u64::from(right)) as u16;
        (left, right) = (right, left ^ turned);
    }
    u32::from(left) << 16 | u32::from(right)
}

/// Gives an integer of this many bits for a number. Numbers that are 512 apart give integers that differ in one bit. The bit in
/// which they differ is about equally often each bit, except bits 6 to 11 and 20 to 22, which hold the low nine bits of the
/// number.
fn one_bit_apart(number: u64, bits: u32) -> u64 {
    let (row, column, turned) = (number >> 9, number & 0x1ff, bits - 9);
    // The Gray codes of neighbouring rows differ in one bit, mostly a low one. The rotation by the column moves this bit to any
    // place.
    let (gray, by) = (row ^ row >> 1, column as u32 % turned);
    let field = (gray << by | gray >> (turned - by)) & (u64::MAX >> (64 - turned));
    let (low, middle, high) = (field & 0x3f, field >> 6 & 0xff, field >> 14);
    low | (column & 0x3f) << 6 | middle << 12 | (column >> 6) << 20 | high << 23
}

/// Returns an integer of this many bits near 0, near -1, or near either side of the middle, where the sign changes. The numbers
/// 0, 1, 2 and 3 give 0, -1, the least and the greatest signed integer. Many pairs of numbers that are 1,022 or 1,026 apart
/// give an integer and its negative.
fn near_an_end(number: u64, bits: u32) -> u64 {
    let (row, column, middle) = (number >> 10 & 3, number & 3, 1 << (bits - 1));
    let from = number >> 12 << 10 | number & 0x3fc | row;
    match (row + column) & 3 {
        0 => from,
        1 => !from,
        2 => middle + from,
        _ => middle - 1 - from,
    }
}

/// Writes a number as a word of `length` letters, from an alphabet of 16 letters. The word is longer if the number needs more
/// letters.
fn spelled(mut number: u64, length: usize) -> String {
    let mut text = String::with_capacity(length.max(16));
    while number > 0 || text.len() < length {
        text.push(char::from(b"acdefilmnoprstuy"[(number % 16) as usize]));
        number /= 16;
    }
    text
}

/// Writes a number as a word with 0 to 7 spaces, or 1 to 8 NULs, at each end. Many pairs of numbers whose difference is a
/// multiple of 512 give texts that differ only in the spaces or NULs.
fn between_blanks(number: u64) -> String {
    let (row, column) = (number >> 9, number & 0x1ff);
    let (blank, least) = if row & 1 == 0 { (" ", 0) } else { ("\0", 1) };
    let [end, front] = [row >> 1 & 7, row >> 4 & 7].map(|more| blank.repeat(least + more as usize));
    let word = spelled(row >> 7 << 9 | column, 1);
    front + &word + &end
}

/// Writes a number as a text whose letters have codes that differ only in their second byte, if the number is even, or only in
/// their third byte, if it is odd.
fn in_high_bytes(number: u64) -> String {
    let (shift, first) = if number & 1 == 0 { (8, 0x61) } else { (16, 1) };
    let (mut text, mut rest) = (String::new(), number >> 1);
    loop {
        let code = (first + (rest % 16) as u32) << shift | 0x41;
        text.push(char::from_u32(code).expect("no surrogates, and at most 16 planes"));
        rest /= 16;
        if rest == 0 {
            return text;
        }
    }
}

/// Writes a number as a word of at least 8 letters, behind 130, 260, 520 or 1,040 equal letters.
fn after_many_letters(number: u64) -> String {
    "a".repeat(130 << number.trailing_zeros().min(3)) + &spelled(number, 8)
}

/// Writes a number as a text of 66 letters. For each of the first 64 letters, many pairs of numbers whose difference is a
/// multiple of 64 give texts that differ only in this letter.
fn one_letter_apart(number: u64) -> String {
    let column = number % 64;
    let mut letters = "a".repeat(64) + &spelled(column, 2);
    for (place, letter) in (column..).zip(spelled(number / 64, 0).chars()) {
        let place = (place % 64) as usize;
        letters.replace_range(place..=place, letter.encode_utf8(&mut [0]));
    }
    letters
}

/// Implements [`Item`] for integer types of one size, with the kinds in the braces.
macro_rules! integers {
    ($($integer:ty),+: $kinds:tt) => {
        $(integers!(@ $integer $kinds);)+
    };
    (@ $integer:ty { $($name:literal: $of:expr,)+ }) => {
        impl Item for $integer {
            type Owned = Self;

            fn kinds() -> Vec<Kind<Self>> {
                vec![$(Kind::new($name, $of)),+]
            }
        }
    };
}

// `as` keeps the low bits of a number that has too many.
integers!(u64, i64: {
    "random integers": |number| mixed(number) as Self,
    "sequential integers": |number| number as Self,
    "integers that differ in their high half": |number| (number << 32) as Self,
    "multiples of 4096": |number| (number << 12) as Self,
    "extreme integers": |number| near_an_end(number, 64) as Self,
    "integers one bit apart": |number| one_bit_apart(number, 64) as Self,
    "bits of floats": |number| (number as f64 / 8.0).to_bits() as Self,
});
integers!(u32, i32: {
    "random integers": |number| mixed_32(number) as Self,
    "sequential integers": |number| number as Self,
    "extreme integers": |number| near_an_end(number, 32) as Self,
    "integers with their bits reversed": |number| (number as u32).reverse_bits() as Self,
    "integers one bit apart": |number| one_bit_apart(number, 32) as Self,
});

impl Item for [u8] {
    type Owned = Vec<u8>;

    fn kinds() -> Vec<Kind<Self>> {
        let text = <str as Item>::kinds();
        let mut kinds = vec![
            Kind::new("16 random bytes", |number| {
                let halves = [mixed(number), mixed(!number)];
                halves.map(u64::to_le_bytes).concat()
            }),
            Kind::new("sequential integers of 8 bytes", |number| {
                number.to_le_bytes().to_vec()
            }),
            Kind::new(
                "integers of 8 bytes that differ in their high half",
                |number| (number << 32).to_le_bytes().to_vec(),
            ),
            Kind::new("bytes of every length to 100", every_length),
        ];
        kinds.extend(text.into_iter().map(|kind| {
            let name = kind.name().to_owned();
            Kind::new(name, move |number| kind.item(number).into_bytes())
        }));
        kinds
    }
}

/// Writes the quotient of a number by 101 as bytes. The number of bytes is the remainder. If the remainder is below 8 and the
/// quotient does not fit into so few bytes, there are 101 bytes more.
fn every_length(number: u64) -> Vec<u8> {
    let (length, mut rest) = ((number % 101) as usize, number / 101);
    let fits = length >= 8 || rest >> (8 * length) == 0;
    let length = if fits { length } else { 101 + length };
    // The bytes are in big-endian order, with zeros in front.
    let mut bytes = vec![0; length];
    for byte in bytes.iter_mut().rev() {
        *byte = rest as u8;
        rest >>= 8;
    }
    bytes
}

impl Item for str {
    type Owned = String;

    fn kinds() -> Vec<Kind<Self>> {
        vec![
            Kind::new("random words of 16 letters", |number| {
                spelled(mixed(number), 16)
            }),
            Kind::new("short words", |number| spelled(number, 0)),
            Kind::new("decimal numbers", |number| number.to_string()),
            Kind::new("addresses of one site, which differ at the end", |number| {
                format!(
                    "https://www.example.org/a/page/with/a/long/path?of=the-site&number={number:010}"
                )
            }),
            Kind::new("long texts, which differ in the middle", |number| {
                format!(
                    "all texts of this kind begin in this way, {number:010} is the number of one, and that is all"
                )
            }),
            Kind::new("words that differ in case", |number| {
                let letters = "thesearethirtytwolettersofatext".chars().chain(['s']);
                let cased = letters.enumerate().map(|(at, letter)| {
                    if number >> at & 1 == 1 {
                        letter.to_ascii_uppercase()
                    } else {
                        letter
                    }
                });
                cased.collect()
            }),
            Kind::new("long texts, which differ at the front", |number| {
                format!(
                    "{number:010} is the number of this text, and all others end in just the same way"
                )
            }),
            Kind::new("long texts one letter apart", one_letter_apart),
            Kind::new("words between spaces or NULs", between_blanks),
            Kind::new(
                "letters that differ in the high bytes of their codes",
                in_high_bytes,
            ),
            Kind::new(
                "texts to 1,048 letters, which differ at the end",
                after_many_letters,
            ),
        ]
    }
}

impl Item for String {
    type Owned = Self;

    fn kinds() -> Vec<Kind<Self>> {
        let text = <str as Item>::kinds().into_iter();
        let owned = text.map(|kind| Kind::new(kind.name().to_owned(), move |it| kind.item(it)));
        owned.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn assert_distinct<T: Item + ?Sized>()
    where
        T::Owned: Eq + std::hash::Hash,
    {
        // The 60,000 lowest and the 10,000 highest numbers.
        let numbers = (0..60_000).chain(Kind::<T>::NUMBERS - 10_000..Kind::<T>::NUMBERS);
        for kind in T::kinds() {
            let items: HashSet<T::Owned> = numbers.clone().map(|it| kind.item(it)).collect();
            assert_eq!(items.len(), 70_000, "{kind:?}");
        }
    }

    #[test]
    fn different_numbers_give_different_items() {
        assert_distinct::<u64>();
        assert_distinct::<i64>();
        assert_distinct::<u32>();
        assert_distinct::<i32>();
        assert_distinct::<[u8]>();
        assert_distinct::<str>();
        assert_distinct::<String>();
    }

    #[test]
    fn bytes_of_every_length_have_every_length() {
        let lengths: HashSet<usize> = (0..1_000)
            .map(|number| every_length(number).len())
            .collect();
        assert!((0..=100).all(|length| lengths.contains(&length)));
        assert!(lengths.iter().all(|length| *length <= 108));
    }
}
