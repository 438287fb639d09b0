//! Tests answers and errors of the library when it is called without the command line.

use bloom_params::explain::Part;
use bloom_params::math::Model;
use bloom_params::{Cost, Filter, Query, Round, like};
use bloom_systems::rule::Takes;

/// The question for the size of a filter.
fn sized(items: u64, rate: f64) -> Query {
    Query {
        items: Some(items),
        rate: Some(rate),
        ..Query::default()
    }
}

/// One item sets exactly k bits if each hash has its own bits. Two items in slices of 3, 3, 2 and 2
/// bits set 5/3, 5/3, 3/2 and 3/2 of them on average.
#[test]
fn the_fill_is_that_of_slices_lanes_and_stages() {
    let fill = |n, m, k, filter| {
        let query = Query {
            items: Some(n),
            bits: Some(m),
            hashes: k,
            filter,
            ..Query::default()
        };
        query.solve().unwrap().fill()
    };
    let near = |found: f64, fill: f64| assert!((found - fill).abs() < 1e-12, "{found} {fill}");
    near(fill(1, 10, Some(4), Filter::Partitioned), 0.4);
    near(fill(2, 10, Some(4), Filter::Partitioned), 19.0 / 30.0);
    near(fill(2, 12, Some(4), Filter::Partitioned), 20.0 / 36.0);
    near(
        fill(1, 256, None, Filter::SplitBlock { block_bits: 256 }),
        0.03125,
    );
    // With two blocks, a share 1 - (1 - 1/64)^2 of each lane is set.
    near(
        fill(2, 512, None, Filter::SplitBlock { block_bits: 256 }),
        1.0 - (63.0 / 64.0_f64).powi(2),
    );
    // With one hash, the filter is a single slice. It has the most bits that a filter may have.
    near(fill(1, 1 << 63, Some(1), Filter::Partitioned), 0.0);
    // The first stage is full with 10 items, and the second holds 3 items.
    let asked = Query {
        items: Some(13),
        rate: Some(0.1),
        filter: Filter::Scalable {
            initial: 10,
            growth: 2,
            tightening: 0.5,
        },
        ..Query::default()
    };
    let grown = asked.solve().unwrap();
    let set = |items: i32, stage: usize| {
        let stage = &grown.stages()[stage];
        let bits = stage.bits as f64;
        bits * (1.0 - (1.0 - 1.0 / bits).powi(items * i32::from(stage.hashes)))
    };
    assert_eq!(grown.stages().len(), 2);
    near(grown.fill(), (set(10, 0) + set(3, 1)) / grown.bits as f64);
}

#[test]
fn rounding_goes_up_to_whole_blocks_and_never_beyond_2_to_the_63_bits() {
    for (step, unit, up) in [
        (64, 1, Some(64)),
        (64, 100, Some(1_600)),
        (512, 96, Some(1_536)),
    ] {
        assert_eq!(Round::Multiple(step).up(1, unit), up, "{step} {unit}");
    }
    assert_eq!(Round::Multiple(3).up(1 << 63, 1), None);
    // Fewer bits than a block are rounded up to a whole block.
    assert_eq!(Round::PowerOfTwo.up(512, 1_024), Some(1_024));
    assert_eq!(Round::PowerOfTwo.up(1_025, 1_024), Some(2_048));
    assert_eq!(Round::PowerOfTwo.up(512, 96), None);
    assert_eq!(Round::None.up(1_025, 1_024), Some(2_048));
    let asked = Query {
        round: Round::Multiple((1 << 63) + 1),
        ..sized(9, 0.1)
    };
    let refused = asked.solve().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "m must be at most 2^63 bits, but --round raises it beyond that, from 45"
    );
    assert_eq!(
        refused.hint(),
        Some("leave out --round, or round to another number".to_string())
    );
}

#[test]
fn invalid_rates_and_shares_are_refused_by_the_library_too() {
    for wrong in [0.0, 1.0, -0.5, 1.5, f64::NAN] {
        let rate = Query {
            rate: Some(wrong),
            ..Query::default()
        };
        let refused = rate.per_item().unwrap_err().to_string();
        assert!(refused.contains("between 0 and 1"), "{wrong}: {refused}");
        let share = Query {
            confidence: Some(wrong),
            ..sized(9, 0.1)
        };
        assert_eq!(
            share.solve().unwrap_err().to_string(),
            format!("--confidence must be between 0 and 1 (exclusive), got {wrong}")
        );
    }
}

/// Each mix of given quantities is solved in its own way, and each must refuse an invalid rate.
#[test]
fn an_invalid_rate_is_refused_for_every_kind_and_every_mix() {
    let block_bits = 512;
    let (initial, growth, tightening) = (10, 2, 0.5);
    for filter in [
        Filter::Classic,
        Filter::Partitioned,
        Filter::PlainBlocked { block_bits },
        Filter::SplitBlock { block_bits },
        Filter::Counting { counter_bits: 4 },
        Filter::Scalable {
            initial,
            growth,
            tightening,
        },
    ] {
        let fixed = matches!(filter, Filter::SplitBlock { .. } | Filter::Scalable { .. });
        for given in 1..8 {
            let [items, bits, hashes] = [1, 2, 4].map(|bit| given & bit != 0);
            // Without n and m the question has no answer, whatever the rate. A split-block or a scalable filter does not take k
            // = 3.
            if hashes && fixed || !items && !bits {
                continue;
            }
            for wrong in [0.0, 1.0, -0.5, 2.0, f64::INFINITY, f64::NAN] {
                let query = Query {
                    items: items.then_some(100),
                    bits: bits.then_some(1024),
                    hashes: hashes.then_some(3),
                    rate: Some(wrong),
                    filter,
                    ..Query::default()
                };
                let refused = query.solve().expect_err("the rate is invalid").to_string();
                let rule = "must be between 0 and 1 (exclusive), got";
                assert!(refused.contains(rule), "{query:?}: {refused}");
            }
        }
    }
}

#[test]
fn a_derivation_is_data_and_its_lines_show_all_of_it() {
    let query = sized(2_000, 0.01);
    let explanation = query.solve().unwrap().explain();
    let text = explanation.lines().join("\n");
    assert_eq!(
        explanation.steps[0].title,
        "What is given, and what is asked"
    );
    assert!(explanation.steps.len() > 4);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (number, step) in (1..).zip(&explanation.steps) {
        assert!(text.contains(&format!("\n\n{number}. {}\n", step.title)));
        assert!(!step.parts.is_empty(), "{}", step.title);
        for part in &step.parts {
            let (Part::Text(part) | Part::Formula(part)) = part;
            let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(&part), "no {part:?} in {text}");
        }
    }
}

#[test]
fn a_library_is_solved_without_a_command_line() {
    let query = sized(2_000, 0.01);
    for library in like::SYSTEMS {
        let filter = Filter::of_system(library);
        match (Query { filter, ..query }).solve() {
            Ok(built) => {
                assert!(built.as_built().is_some_and(|built| built.full.is_none()));
                assert_eq!((built.asked.filter, built.items), (filter, 2_000));
                assert!(built.notes()[0].starts_with(&format!("this is what {}", library.name)));
            }
            Err(refused) => {
                let name = library.name;
                let is_one_size = matches!(library.sizing.takes, Takes::OneSize);
                assert!(is_one_size || name == "postgres-bloom", "{name}: {refused}");
                let message = match name {
                    "postgres-bloom" => "postgres-bloom takes at most 32 items, got 2,000".into(),
                    _ => format!("--like {name} takes n alone, got n and p"),
                };
                assert_eq!(refused.to_string(), message);
            }
        }
    }
    assert!(like::system("guva").is_none());
}

#[test]
fn a_library_decides_what_options_of_other_filters_ask_for() {
    let plain = Query {
        filter: Filter::of_system(like::system("guava").unwrap()),
        ..sized(2_000, 0.01)
    };
    let refused = |query: Query, flag: &str| {
        let message = query
            .solve()
            .map(|built| built.rate)
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            format!("the library of --like decides what {flag} asks for")
        );
    };
    let (model, round) = (Model::Textbook, Round::PowerOfTwo);
    refused(Query { model, ..plain }, "--model");
    refused(Query { round, ..plain }, "--round");
    let hash_bits = Some(32);
    refused(Query { hash_bits, ..plain }, "--hash-bits");
    let confidence = Some(0.9);
    refused(
        Query {
            confidence,
            ..plain
        },
        "--confidence",
    );
    let set_bits = Some(9);
    refused(Query { set_bits, ..plain }, "--set-bits");
    let cost = Some(Cost {
        false_hit: 1.0,
        per_bit: 1.0,
        lookups: 1.0,
    });
    refused(Query { cost, ..plain }, "--cost-false-hit");
    assert!(plain.solve().is_ok());
    let each = plain.per_item().unwrap_err().to_string();
    assert_eq!(each, "--like guava takes n and p, got n and p");
}

#[test]
fn a_library_takes_only_its_own_expansions() {
    let of = |name, expansion| {
        let system = like::system(name).unwrap();
        let expansion = Some(expansion);
        let filter = Filter::OfSystem { system, expansion };
        let built = Query {
            filter,
            ..sized(2_000, 0.01)
        }
        .solve();
        built
            .map(|built| built.memory_bits_with(10_000))
            .map_err(|error| error.to_string())
    };
    assert!(of("redis", 2).unwrap().is_some());
    let refused = of("redis", 0).unwrap_err();
    assert!(
        refused.starts_with("--expansion must be from 1 to ") && refused.ends_with(", got 0"),
        "{refused}"
    );
    assert!(
        of("redis", u64::MAX)
            .unwrap_err()
            .ends_with("got 18,446,744,073,709,551,615")
    );
    assert!(
        of("hadoop", 0)
            .unwrap_err()
            .starts_with("--expansion is an option of --like redis")
    );
}

#[test]
fn a_library_refuses_numbers_that_no_filter_has() {
    let query = sized(2_000, 0.01);
    let (items, bits, none) = (query.items, Some(20_000), Some(0));
    let of_bits = |items, bits| Query {
        items,
        bits,
        ..Query::default()
    };
    let of_no_bits_at = |rate| Query {
        rate,
        ..of_bits(None, none)
    };
    let rate = "false-positive rate must be between 0 and 1 (exclusive), got";
    let refused = [
        (sized(0, 0.01), "items must be at least 1, got 0".into()),
        (
            of_bits(none, bits),
            "items must be at least 1, got 0".into(),
        ),
        (
            of_bits(items, none),
            "bits must be at least 1, got 0".into(),
        ),
        (
            of_no_bits_at(query.rate),
            "bits must be at least 1, got 0".into(),
        ),
        (sized(2_000, 0.0), format!("{rate} 0")),
        (sized(2_000, f64::NAN), format!("{rate} NaN")),
        (sized(2_000, 1.0), format!("{rate} 1")),
    ];
    for library in like::SYSTEMS {
        for (query, message) in &refused {
            let filter = Filter::of_system(library);
            let built = Query { filter, ..*query }.solve();
            let error = built.map(|built| built.rate).unwrap_err();
            assert_eq!(error.to_string(), *message, "{}", library.name);
        }
    }
}

/// The command refuses `--model` for other kinds of filter by itself. The library must refuse a model for them, too.
#[test]
fn only_a_classic_filter_has_a_choice_of_models() {
    let model = Model::Textbook;
    let asked = |filter| {
        Query {
            model,
            filter,
            ..sized(9, 0.1)
        }
        .solve()
    };
    assert!(asked(Filter::Classic).is_ok());
    for filter in [
        Filter::Counting { counter_bits: 4 },
        Filter::Partitioned,
        Filter::scalable(1_000),
    ] {
        let message = format!(
            "--model is an option of classic, and the filter is {}",
            filter.name()
        );
        assert_eq!(asked(filter).unwrap_err().to_string(), message);
    }
}
