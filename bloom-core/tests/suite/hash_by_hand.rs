//! Compares the default hasher with a second implementation, in this file, which was written only from the documentation of
//! the layout (`bloom_core::persist`). Names of one letter are those of the documentation.

use std::hash::BuildHasher;

use bloom_core::FixedState;

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
const TIMES: u64 = 0xd134_2543_de82_ef95;
const C: [u64; 7] = [
    0xabd1_5f7a_fceb_044d,
    0x5ce2_1f02_4a4d_11a8,
    0x8dde_d36e_468b_e806,
    0x9147_fc25_f15e_a77c,
    0x1650_263d_2196_869d,
    0x88c8_4b75_5980_d7d5,
    0xf93c_386f_7eec_d428,
];

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

fn start(seed: u64) -> u64 {
    let mut mixed = seed;
    mixed ^= mixed >> 30;
    mixed = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^= mixed >> 27;
    mixed = mixed.wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    mixed ^ GOLDEN
}

fn integer(s: u64, n: u64) -> u64 {
    fold(s ^ n, TIMES).wrapping_add(GOLDEN)
}

fn byte(s: u64, b: u8) -> u64 {
    (s ^ u64::from(b)).wrapping_mul(TIMES)
}

/// Returns the number that the bytes stand for, least significant byte first.
fn number(bytes: &[u8]) -> u64 {
    let places = bytes.iter().enumerate();
    places.map(|(at, byte)| u64::from(*byte) << (8 * at)).sum()
}

fn bytes(s: u64, all: &[u8]) -> u64 {
    let l = all.len();
    let mut e = s ^ (l as u64) << 32;
    let (a, b) = match l {
        0 => (0, 0),
        1..=3 => (
            u64::from(all[0]) << 45 | u64::from(all[l - 1]),
            u64::from(all[l / 2]),
        ),
        4..=7 => (number(&all[..4]), number(&all[l - 4..])),
        8..=16 => (number(&all[..8]), number(&all[l - 8..])),
        _ => {
            let mut left = all;
            let mut lanes = [e; 7];
            while left.len() > 112 {
                for (j, pair) in left[..112].chunks(16).enumerate() {
                    lanes[j] = fold(number(&pair[..8]) ^ C[j], number(&pair[8..]) ^ lanes[j]);
                }
                left = &left[112..];
            }
            if left.len() < l {
                e = lanes.into_iter().fold(0, |all, lane| all ^ lane);
            }
            let r = left.len() as u64;
            for c in [2, 2, 1, 1, 2, 1] {
                if left.len() > 16 {
                    e = fold(number(&left[..8]) ^ C[c], number(&left[8..16]) ^ e);
                    left = &left[16..];
                }
            }
            (number(&all[l - 16..l - 8]) ^ r, number(&all[l - 8..]))
        }
    };
    if (4..=16).contains(&l) {
        e ^= l as u64;
    }
    fold(a ^ C[1], b ^ e)
}

#[test]
fn text_and_bytes_of_every_length_hash_as_the_page_says() {
    let all: Vec<u8> = (0..700_u64)
        .map(|at| (integer(1, at) % 128) as u8)
        .collect();
    for seed in [0, 42, u64::MAX] {
        let (state, s) = (FixedState::with_seed(seed), start(seed));
        for length in 0..all.len() {
            let part = &all[..length];
            let text = std::str::from_utf8(part).expect("below 128 it is ASCII");
            let right = byte(bytes(s, part), 0xff);
            assert_eq!(state.hash_one(text), right, "{length} bytes of text");
            let right = bytes(integer(s, length as u64), part);
            assert_eq!(state.hash_one(part), right, "{length} bytes");
        }
    }
}

#[test]
fn integers_of_every_width_hash_as_the_page_says() {
    for seed in [0, 42] {
        let (state, s) = (FixedState::with_seed(seed), start(seed));
        assert_eq!(state.hash_one(-2_i8), byte(s, 0xfe));
        assert_eq!(state.hash_one(true), byte(s, 1));
        assert_eq!(state.hash_one(-2_i16), integer(s, 0xfffe));
        assert_eq!(state.hash_one(u32::MAX), integer(s, 0xffff_ffff));
        assert_eq!(state.hash_one('é'), integer(s, 0xe9));
        assert_eq!(state.hash_one(7_u64), integer(s, 7));
        assert_eq!(state.hash_one(-1_i64), integer(s, u64::MAX));
        assert_eq!(state.hash_one(7_usize), integer(s, 7));
        let wide = 5_u128 << 64 | 6;
        assert_eq!(state.hash_one(wide), integer(integer(s, 6), 5));
        assert_eq!(state.hash_one((1_u64, 2_u8)), byte(integer(s, 1), 2));
    }
}

#[test]
fn the_seed_is_returned_as_given() {
    assert_eq!(FixedState::with_seed(7).seed(), 7);
    assert_eq!(FixedState::new().seed(), 0);
}
