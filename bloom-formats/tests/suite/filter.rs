//! Tests the trait [`Filter`]. A filter in place, which reads its bits in given bytes, behaves like a filter that owns its
//! bits. A filter merges only with filters of its own type, and refuses keys of types that its system does not have.

use crate::formats;
use bloom_formats::{
    DataSketchesKey, Field, Filter, Format, HadoopBloom, HadoopDynamicBloom, HadoopHash, Key,
    KeyType, Must, OrcKey, ParquetKey, Rule, Value,
};
use bloom_testing::assert_bytes;

fn keys(from: u32) -> impl Iterator<Item = Vec<u8>> {
    (from..from + 100).map(|key| key.to_be_bytes().to_vec())
}

#[test]
fn a_filter_in_place_behaves_like_an_owned_filter() {
    for tested in formats::all() {
        let (mut filter, read) = ((tested.new)(100), tested.reads.in_place);
        let (empty, format) = (filter.to_bytes().unwrap(), filter.format());
        let mut in_place = read(&empty).unwrap();
        assert!(filter.estimated_items().unwrap().items < 1e-9, "{format}");
        for key in keys(0) {
            let held = filter.contains(Key::Bytes(&key)).unwrap();
            assert_eq!(filter.insert(Key::Bytes(&key)), Ok(!held), "{format}");
            assert_eq!(in_place.insert(Key::Bytes(&key)), Ok(!held), "{format}");
            assert_eq!(in_place.contains(Key::Text(&key)), Ok(true), "{format}");
        }
        let bytes = filter.to_bytes().unwrap();
        assert_bytes!(in_place.to_bytes().unwrap(), bytes, "{format}");
        let read = read(&bytes).unwrap();
        for (ours, theirs) in [
            (filter.fill(), read.fill()),
            (filter.false_positive_rate(), read.false_positive_rate()),
            (
                filter.expected_false_positive_rate(100),
                read.expected_false_positive_rate(100),
            ),
        ] {
            assert!(ours == theirs && 0.0 < ours && ours < 1.0, "{format}");
        }
        assert_eq!(filter.shape(), read.shape(), "{format}");
        assert_eq!(filter.warnings(), read.warnings(), "{format}");
        let (ours, theirs) = (filter.estimated_items(), read.estimated_items());
        assert_eq!(ours, theirs, "{format}");
        let items = ours.unwrap();
        let away = (items.items - 100.0).abs();
        // If positions depend on one another, the estimate may be farther off than its standard deviation states. So the
        // tolerance is 8 standard deviations.
        assert!(away < 8.0 * items.standard_deviation, "{format} {items:?}");
    }
}

#[test]
fn filters_merge_with_filters_of_their_type_alone() {
    for tested in formats::all() {
        let [mut ours, mut theirs] = [(); 2].map(|()| (tested.new)(100));
        let read = tested.reads.in_place;
        let format = ours.format();
        keys(0).for_each(|key| _ = ours.insert(Key::Bytes(&key)).unwrap());
        keys(1_000).for_each(|key| _ = theirs.insert(Key::Bytes(&key)).unwrap());
        let (before, other) = (ours.to_bytes().unwrap(), theirs.to_bytes().unwrap());
        let mut in_place = read(&before).unwrap();
        let merged = [
            ours.merge(&*theirs),
            in_place.merge(&*read(&other).unwrap()),
        ];
        if format == Format::RedisBloom {
            let refused = Err(ours.merge(&*theirs).unwrap_err());
            assert_eq!(merged, [refused, refused]);
            assert_eq!(ours.merge(&*theirs).unwrap_err().rule, Rule::NoMerge);
            assert_bytes!(ours.to_bytes().unwrap(), before);
            continue;
        }
        assert_eq!(merged, [Ok(()), Ok(())], "{format}");
        assert_eq!(ours.to_bytes(), in_place.to_bytes(), "{format}");
        for key in keys(0).chain(keys(1_000)) {
            assert_eq!(ours.contains(Key::Bytes(&key)), Ok(true), "{format}");
        }
        let others = formats::all().into_iter().map(|other| (other.new)(100));
        for other in others.filter(|other| other.format() != format) {
            let differs = Rule::Differs {
                field: Field::Format,
                ours: Value::Format(format),
                theirs: Value::Format(other.format()),
            };
            assert_eq!(ours.merge(&*other).unwrap_err().rule, differs);
        }
    }
    // A simple and a dynamic filter of Hadoop have the same `Format`, but do not merge.
    let mut simple = HadoopBloom::with_bits(HadoopHash::Murmur, 100, 3).unwrap();
    let dynamic = HadoopDynamicBloom::with_bits(HadoopHash::Murmur, 100, 3, 9).unwrap();
    let before = simple.clone();
    assert!(Filter::merge(&mut simple, &dynamic).is_err());
    assert!(simple == before);
}

#[test]
fn a_key_of_a_type_that_a_system_does_not_have_is_refused() {
    let all = [
        (Key::Utf16("a"), KeyType::Utf16),
        (Key::Long(7), KeyType::Long),
        (Key::Int(8), KeyType::Int),
        (Key::Double(0.5), KeyType::Double),
        (Key::Float(0.5), KeyType::Float),
    ];
    for tested in formats::all() {
        let mut filter = (tested.new)(100);
        let takes: &[usize] = match filter.format() {
            Format::Spark => &[1, 2],
            Format::Guava => &[0, 1, 2],
            Format::Parquet => &[1, 2, 3, 4],
            Format::Orc | Format::Hive | Format::DataSketches => &[1, 3],
            _ => &[],
        };
        for (index, (key, kind)) in all.into_iter().enumerate() {
            if takes.contains(&index) {
                assert_eq!(filter.insert(key), Ok(true));
                assert_eq!(filter.contains(key), Ok(true));
            } else {
                let (field, rule) = (Field::Key, Must::TypeOfSystem);
                let got = Value::Key(kind);
                let expected = Err(Rule::Field { field, rule, got });
                assert_eq!(filter.insert(key).map_err(|error| error.rule), expected);
                assert_eq!(filter.contains(key).map_err(|error| error.rule), expected);
            }
        }
    }
}

#[test]
fn small_integers_become_a_type_that_the_system_has() {
    let of_sketches = [DataSketchesKey::from(-7_i8), (-700_i16).into()];
    assert_eq!(of_sketches, [-7, -700].map(DataSketchesKey::Long));
    let of_orc = [OrcKey::from(-7_i8), (-700_i16).into()];
    assert_eq!(of_orc, [-7, -700].map(OrcKey::Long));
    let of_parquet = [ParquetKey::from(-7_i8), (-700_i16).into()];
    assert_eq!(of_parquet, [-7, -700].map(ParquetKey::Int32));
}
