//! Checks that every saved input of the fuzz targets is still decoded as the case that its name describes. If a change of the
//! decoding turned an input into another case, or an empty one, the tests in `replay.rs` would still pass.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arbitrary::{Arbitrary, Unstructured};
use bloom_core::math::Model;
use bloom_core::{BloomFilter, GrowError, ScalableBloomFilter, ScalableShape, Shape};
use bloom_fuzz_kit::{AnyState, Integer, Step};
use bloom_fuzz_suite::{
    BatchEqualsSingle, BytesIn, CommandLine, CountingModel, FamilyCase, ForeignBytesIn,
    ForeignRoundTrip, HashOp, Mend, NoFalseNegatives, ScalableGrowth, SetAlgebra, ShapeSolver,
    SimdEqualsPortable, Source, Spec, System, UnitParser, quality,
};

fn read(path: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn decode<'a, T: Arbitrary<'a>>(bytes: &'a [u8]) -> T {
    T::arbitrary_take_rest(Unstructured::new(bytes)).expect("any bytes are a case")
}

/// Fails unless `stands_for` accepts every saved input of a fuzz target, given the name and the bytes of the input.
#[track_caller]
fn assert_each(target: &str, stands_for: impl Fn(&str, &[u8]) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../regressions");
    let files = fs::read_dir(folder.join(target)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let others: Vec<String> = names
        .filter(|name| {
            let bytes = read(&format!("fuzz/regressions/{target}/{name}"));
            !stands_for(name, &bytes)
        })
        .collect();
    assert!(
        others.is_empty(),
        "inputs of {target} that are not the case that their name describes, or have an unknown name: {others:?}"
    );
}

fn kind(spec: Spec) -> &'static str {
    match spec {
        Spec::Basic { .. } => "basic",
        Spec::Blocked { .. } => "blocked",
        Spec::Counting { .. } => "counting",
        Spec::Partitioned { .. } => "partitioned",
        Spec::Scalable { .. } => "scalable",
    }
}

#[test]
fn inputs_without_false_negatives_are_what_they_are_called() {
    assert_each("no_false_negatives", |name, bytes| {
        match (name, decode::<NoFalseNegatives>(bytes)) {
            ("strings_short_and_long", NoFalseNegatives::OfBytes(case)) => {
                let lengths = case.script.steps.0.iter().filter_map(|step| match step {
                    Step::Insert(bytes) => Some(bytes.0.len()),
                    _ => None,
                });
                let lengths: Vec<usize> = lengths.collect();
                lengths.contains(&0) && lengths.contains(&1) && lengths.iter().any(|it| *it > 100)
            }
            ("take_what_was_taken", NoFalseNegatives::OfIntegers(case)) => {
                let mut removed = BTreeMap::<Integer, u32>::new();
                for step in &case.script.steps.0 {
                    if let Step::Remove(key) = step {
                        *removed.entry(*key).or_default() += 1;
                    }
                }
                kind(case.spec) == "counting" && removed.values().any(|times| *times > 1)
            }
            (_, NoFalseNegatives::OfIntegers(case)) if name.starts_with("any_") => {
                name == format!("any_{}_of_integers", kind(case.spec))
                    && case.script.steps.0.len() >= 10
            }
            (_, NoFalseNegatives::OfIntegers(case)) => is_case(name, &case),
            (_, NoFalseNegatives::OfBytes(case)) => {
                name == format!("any_{}_of_bytes", kind(case.spec))
                    && case.script.steps.0.len() >= 5
            }
        }
    });
}

fn is_case(name: &str, case: &FamilyCase<Integer>) -> bool {
    let (state, steps) = (case.state, &case.script.steps.0);
    let Spec::Basic { bits, hashes } = case.spec else {
        return false;
    };
    let inserted = steps.iter().filter_map(|step| match step {
        Step::Insert(Integer(item)) => Some(*item),
        _ => None,
    });
    let inserted: Vec<u64> = inserted.collect();
    let filled = |items: &[u64]| {
        let shape = Shape::new(bits, hashes).unwrap();
        let filter = BloomFilter::<u64, _>::with_hasher(shape, state).unwrap();
        let mut filter = filter.with_hash_quality(quality(state)).unwrap();
        filter.extend(items);
        filter
    };
    match name {
        "empty_input" => steps.is_empty(),
        "hasher_of_ones_255_hashes" => {
            state == AnyState::Ones && hashes == 255 && inserted.len() > 1
        }
        "hasher_of_zeros" => state == AnyState::Zeros && inserted.len() > 1,
        "insert_then_clear" => matches!(steps[..], [Step::Insert(_), Step::Clear, ..]),
        "last_of_65536_bits_set_twice" => {
            // The last eight bytes of the file are the checksum; the last word of the bits is before it.
            let bytes = filled(&inserted).to_bytes().unwrap();
            let last = bytes[bytes.len() - 9] >> 7 == 1;
            bits == 65_536 && inserted[0] == inserted[1] && last
        }
        "one_bit_filter" => bits == 1 && inserted.len() > 1,
        "saturated" => {
            let items = steps.iter().flat_map(|step| match step {
                Step::InsertMany(keys) => &keys.0[..],
                _ => &[],
            });
            filled(&items.map(|key| key.0).collect::<Vec<_>>()).fill() == 1.0
        }
        "sequential_integers" => {
            let sequence: Vec<u64> = (0..inserted.len() as u64).collect();
            state == AnyState::Identity && inserted.len() > 20 && inserted == sequence
        }
        "union_then_intersection" => {
            let union =
                |step: &Step<Integer>| matches!(step, Step::Union(keys) if !keys.0.is_empty());
            let meet =
                |step: &Step<Integer>| matches!(step, Step::Intersect(keys) if !keys.0.is_empty());
            let first = steps.iter().position(union);
            first.is_some_and(|first| steps[first..].iter().any(meet))
        }
        _ => false,
    }
}

#[test]
fn inputs_of_counters_are_what_they_are_called() {
    assert_each("counting_model", |name, bytes| {
        let case = decode::<CountingModel>(bytes);
        let highest = if case.wide { 255 } else { 15 };
        let steps = &case.script.steps.0;
        let saturates = |step: &_| matches!(step, HashOp::InsertOften(_, it) if *it >= highest);
        let saturated = steps.iter().any(saturates);
        let removes = |step: &&_| matches!(step, HashOp::Remove(_));
        let removals = steps.iter().filter(removes).count();
        let width = if case.wide { "wide" } else { "narrow" };
        let care = if case.loose { "loose" } else { "strict" };
        name.starts_with(&format!("{width}_{care}"))
            && removals > 1
            && (saturated || !name.ends_with("saturated"))
    });
}

#[test]
fn inputs_of_growth_are_what_they_are_called() {
    assert_each("scalable_growth", |name, bytes| {
        let case = decode::<ScalableGrowth>(bytes);
        let shape = ScalableShape::new(case.items, case.rate.0)
            .and_then(|shape| shape.with_growth(case.growth))
            .map(|shape| shape.with_max_stages(case.max_stages));
        let hashes: Vec<u64> = case.runs.0.iter().flat_map(|run| run.hashes()).collect();
        let tightening = case.tightening.0;
        // The number of stages (the parts by which the filter grows), whether an insertion was refused because the last allowed
        // stage was full, and the rate of the first stage.
        let (mut stages, mut limit, mut first) = (0, false, 0.0);
        if let Ok(Ok(shape)) = shape.map(|it| it.and_then(|it| it.with_tightening(tightening))) {
            let mut filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
            let refused = |error| matches!(error, GrowError::TooManyStages { .. });
            for hash in hashes.iter().take(600) {
                limit |= filter.insert_hash(*hash).is_err_and(refused);
            }
            stages = filter.stages().count();
            let stage = filter.stages().next().unwrap();
            let fill = stage.ones as f64 / stage.shape.bits() as f64;
            first = fill.powi(stage.shape.hashes().into());
        }
        match name {
            "refused_tightening_nan" => tightening.is_nan() && !hashes.is_empty(),
            "refused_tightening_zero" => tightening == 0.0 && !hashes.is_empty(),
            "one_item_over_its_share" => case.items == 1 && first > case.rate.0,
            "four_stages" => stages == 4,
            "five_stages" => stages == 5,
            "beyond_the_last_of_22_stages" => stages == 22 && limit,
            _ => false,
        }
    });
}

#[test]
fn inputs_of_sets_are_what_they_are_called() {
    assert_each("set_algebra", |name, bytes| {
        let case = decode::<SetAlgebra>(bytes);
        let differs = (case.spec != case.other, case.state != case.other_state);
        let right = match name {
            // In these inputs, the fourth filter has only another size, or only another hasher, which a refusal must name.
            "basic" | "blocked" => differs == (true, false),
            "basic_of_another_hasher" => differs == (false, true),
            _ => differs != (false, false),
        };
        let kind = kind(case.spec);
        right && name.starts_with(kind) && case.sets.iter().all(|set| set.count > 0)
    });
}

#[test]
fn inputs_of_bytes_are_what_they_are_called() {
    assert_each("bytes_in", |name, bytes| {
        let case = decode::<BytesIn>(bytes);
        match &case.source {
            Source::Raw(_) => {
                let golden = name.strip_prefix("golden_").expect("a golden file");
                case.bytes() == read(&format!("bloom-core/tests/golden/{golden}.bloom"))
            }
            Source::Saved {
                filter: (spec, items),
                edits,
            } => {
                name == format!("edited_{}", kind(*spec))
                    && items.count > 0
                    && edits.0.len() > 4
                    && case.mend == Mend::WordsAndChecksum
            }
        }
    });
}

/// Returns the name of a system in the names of inputs, and the path of a file that the system wrote.
fn recorded(system: System) -> (&'static str, &'static str) {
    match system {
        System::Spark => ("spark", "spark/v1_strings"),
        System::Guava => ("guava", "guava/m64_longs"),
        System::Parquet => ("parquet", "sbbf_bitset/ints"),
        System::Redis => ("redis", "redisbloom/strings"),
        System::Go => ("go", "bitsbloom/bytes_overfull"),
        System::Hadoop => ("hadoop", "hadoop/murmur_none"),
        System::HadoopDynamic => ("hadoop_dynamic", "hadoop_dynamic/murmur_rows"),
        System::Orc => ("orc", "orc/strings"),
        System::Hive => ("hive", "hive_bloomk/none"),
        System::DataSketches => ("datasketches", "datasketches/strings"),
        System::Dcso => ("dcso", "dcso/longs_be_data"),
    }
}

#[test]
fn inputs_of_foreign_bytes_are_what_they_are_called() {
    assert_each("foreign_bytes_in", |name, bytes| {
        let case = decode::<ForeignBytesIn>(bytes);
        let (system, file) = recorded(case.system);
        match &case.source {
            Source::Raw(raw) => {
                let file = read(&format!("bloom-formats/tests/golden/{file}.bin"));
                // The file for Parquet is only the bits, but the input has a header before them.
                let header = if system == "parquet" { 16 } else { 0 };
                name == format!("golden_{system}") && raw.0[header..] == file
            }
            Source::Saved {
                filter: (_, keys),
                edits,
            } => name == format!("edited_{system}") && keys.0.len() > 3 && edits.0.len() > 2,
        }
    });
}

#[test]
fn inputs_of_foreign_filters_are_what_they_are_called() {
    assert_each("foreign_round_trip", |name, bytes| {
        let case = decode::<ForeignRoundTrip>(bytes);
        let both = case.keys.0.len() > 5 && case.others.0.len() > 5;
        name == recorded(case.system).0 && both
    });
}

#[test]
fn inputs_of_numbers_are_what_they_are_called() {
    assert_each("shape_solver", |name, bytes| {
        let case = decode::<ShapeSolver>(bytes);
        let (given, rate) = (case.given, case.rate.0);
        match name {
            "items_bits_hashes_given" => given == 0b0111,
            "bits_and_rate_given" => given == 0b1010 && rate > 0.01,
            "rate_alone_given" => given == 0b1000,
            "rate_above_one" => rate > 1.0,
            "rate_zero" => rate == 0.0,
            "rate_beyond_the_hash" => rate > 0.0 && rate < 0.5_f64.powi(64),
            "nothing_fits" => {
                let most = Model::Asymptotic.max_items_and_hashes(case.bits, rate);
                given == 0b1010 && case.model == 2 && most == Ok((0, 1))
            }
            _ => false,
        }
    });
}

#[test]
fn inputs_of_text_are_what_they_are_called() {
    assert_each("unit_parser", |name, bytes| {
        let text = decode::<UnitParser>(bytes).text.0;
        let is = |known: &str| text == known.as_bytes();
        match name {
            "beyond_64_bits" => is("18446744073709551616"),
            "bytes_with_prefix" => is("16KiB"),
            "exponent" => is("1e-308"),
            "form_feed" => is("1/\u{c}4,"),
            "fraction_with_prefix" => is("1.5M"),
            "grouped_bits" => is("9,223,372,036,854,775,808 bits"),
            "negative_power_of_two" => is("2^-7"),
            "one_in_many" => is("1/10k"),
            "percent" => is("0.7%"),
            "pieces" => text.len() > 20,
            _ => false,
        }
    });
}

#[test]
fn inputs_of_arguments_are_what_they_are_called() {
    assert_each("command_line", |name, bytes| {
        let case = decode::<CommandLine>(bytes);
        let has = |word: &str| case.arguments.0.iter().any(|it| it.0 == word.as_bytes());
        match name {
            "control_characters" => has("\u{1b}[31m") && has("\u{202e}"),
            "empty_word" => has("") && has("--n="),
            "json_of_an_answer" => has("--json") && has("2000") && has("0.01"),
            "one_flag_by_two_names" => has("--m") && has("--bits"),
            "values_attached_to_flags" => has("-p.01") && has("-n2000") && has("--n=2000"),
            _ => false,
        }
    });
}

/// Returns whether a name is the name of the filter's kind, with the suffix `_beyond_the_caches` if the filter is larger than 8
/// MiB and without this suffix otherwise.
fn is_named(name: &str, spec: Spec) -> bool {
    let is_far = match spec {
        Spec::Basic { bits, .. } | Spec::Partitioned { bits, .. } => bits > 1 << 26,
        Spec::Blocked { blocks } => blocks > 1 << 17,
        Spec::Counting { bits, .. } => bits > 1 << 24,
        Spec::Scalable { .. } => false,
    };
    let name_of_far = name.strip_suffix("_beyond_the_caches");
    name_of_far.unwrap_or(name) == kind(spec) && name_of_far.is_some() == is_far
}

#[test]
fn inputs_of_batches_are_what_they_are_called() {
    assert_each("batch_equals_single", |name, bytes| {
        let case = decode::<BatchEqualsSingle>(bytes);
        // The first batch is inserted, and the second is queried.
        let [first, second, ..] = &case.batches.0[..] else {
            return false;
        };
        is_named(name, case.spec) && first.count > 0 && second.count > 0
    });
}

#[test]
fn inputs_of_paths_are_what_they_are_called() {
    assert_each("simd_equals_portable", |name, bytes| {
        let case = decode::<SimdEqualsPortable>(bytes);
        let inserts = |step: &_| matches!(step, HashOp::InsertMany(run) if run.count > 0);
        let asks = |step: &_| matches!(step, HashOp::ContainsMany(run) if run.count > 0);
        let steps = &case.case.script.steps.0;
        let right = match (name, case.case.spec) {
            ("large_blocks", Spec::Blocked { blocks }) => (4095..=4097).contains(&blocks),
            (_, spec) => is_named(name, spec),
        };
        right && steps.iter().any(inserts) && steps.iter().any(asks)
    });
}
