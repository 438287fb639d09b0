//! Checks the code that the command `bloom-params --format rust --like NAME` prints: it compiles, and the filter that it builds
//! finds an inserted item. This file contains that code, and a test compares the code here with the output of the command.

#![expect(clippy::unnecessary_wraps, reason = "all functions have one type")]

use std::error::Error;

/// The source of this file.
const SOURCE: &str = include_str!("library_code.rs");

fn fastbloom() -> Result<usize, Box<dyn Error>> {
    use fastbloom::BloomFilter;

    let mut filter = BloomFilter::with_false_pos(0.01).expected_items(2_000);

    filter.insert("item");
    assert!(filter.contains("item"));
    Ok(filter.num_bits())
}

fn fastbloom_of_bits() -> Result<usize, Box<dyn Error>> {
    use fastbloom::BloomFilter;

    let mut filter = BloomFilter::with_num_bits(20_000).expected_items(2_000);

    filter.insert("item");
    assert!(filter.contains("item"));
    Ok(filter.num_bits())
}

fn bloomfilter() -> Result<usize, Box<dyn Error>> {
    use bloomfilter::Bloom;

    // keeps 0.01 (0.01 gives 0.0100693)
    let mut filter = Bloom::<str>::new_for_fp_rate(2_000, 0.00992)?;

    filter.set("item");
    assert!(filter.check("item"));
    Ok(usize::try_from(filter.len())?)
}

fn sbbf_rs_safe() -> Result<usize, Box<dyn Error>> {
    use sbbf_rs_safe::Filter;

    let mut filter = Filter::new(11, 2_000);

    filter.insert_hash(7);
    assert!(filter.contains_hash(7));
    Ok(filter.as_bytes().len() * 8)
}

fn printed(question: &str) -> String {
    let line = format!("bloom-params {question} --format rust");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code =
        bloom_params::run(line.split(' '), &mut out, &mut err).expect("a vector takes everything");
    assert!(code < 2, "{question}");
    String::from_utf8(out).expect("text")
}

#[test]
fn the_code_of_a_library_is_what_compiles_here() -> Result<(), Box<dyn Error>> {
    for (question, built) in [
        ("-n 2000 -p 1% --like fastbloom", fastbloom()?),
        ("-n 2000 -m 20000 --like fastbloom", fastbloom_of_bits()?),
        ("-n 2000 -p 1% --like bloomfilter", bloomfilter()?),
        ("-n 2000 -p 1% --like sbbf-rs-safe", sbbf_rs_safe()?),
    ] {
        let code = printed(question);
        let inside: Vec<_> = code.lines().map(|line| format!("    {line}")).collect();
        let inside = inside.join("\n").replace("    \n", "\n");
        assert!(SOURCE.contains(&inside), "{question}: {code}");
        assert!(built >= 10_000, "{question}: {built} bits");
    }
    Ok(())
}
