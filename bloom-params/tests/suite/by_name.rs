//! Tests the library's functions that take flags as pairs of a name and a text, for the book's web page and for Python: they
//! answer and refuse as the command line does.

use serde_json::Value;

use crate::common::{object, run_args};

/// `json::page` returns all that the book's web page shows: the command's answer, its derivation, its rates beyond n and a
/// curve of these rates.
#[test]
fn a_page_has_the_answer_the_derivation_the_rates_beyond_n_and_their_curve() {
    let page = |flags: &[(&str, &str)]| -> Value {
        let page = bloom_params::json::page(flags, 10, 20).unwrap();
        serde_json::from_str(&page).unwrap()
    };
    for kind in [
        ("filter", "classic"),
        ("filter", "blocked"),
        ("filter", "scalable"),
        ("like", "guava"),
        ("like", "redis"),
    ] {
        let page = page(&[("n", "2000"), ("p", "0.01"), kind]);
        let line = format!("--n 2000 --p 0.01 --{} {}", kind.0, kind.1);
        assert_eq!(page["answer"], object(&line), "{line}");
        assert_eq!(
            page["explain"],
            object(&format!("{line} --explain"))["explain"],
            "{line}"
        );
        let overfilled = object(&format!("{line} --overfill"));
        let sections = overfilled["sections"].as_array().unwrap();
        assert!(sections.contains(&page["overfill"]), "{line}");
        let points = page["points"].as_array().unwrap();
        assert_eq!((points.len(), &points[0][0]), (21, &0.into()));
        let rows = overfilled["overfill"]["rows"].as_array().unwrap();
        let found = points.iter().filter(|point| {
            let p = point[1].as_f64().unwrap();
            rows.iter().any(|row| {
                row["n"] == point[0] && (row["p"].as_f64().unwrap() / p - 1.0).abs() < 1e-15
            })
        });
        // Rows and points have 1, 1.5, 2, 3, 5 and 10 times n in common.
        assert_eq!(found.count(), 6, "{kind:?}: {points:?}");
    }
    let fixed = page(&[
        ("n", "2000"),
        ("p", "0.01"),
        ("like", "redis"),
        ("expansion", "0"),
    ]);
    let points = fixed["points"].as_array().unwrap();
    assert_eq!(points.last().unwrap()[0], 2_000);
    let reason = fixed["no_overfill"].as_str().unwrap();
    assert!(reason.contains("takes no more than n items"), "{reason}");
    let each = page(&[("p", "0.01")]);
    assert_eq!(each["points"].as_array().unwrap().len(), 0);
    assert_eq!(each["answer"], object("--p 0.01"));
}

/// Flags given by name are refused with the message and the hint that the command line prints for the same flags.
#[test]
fn flags_by_name_are_refused_as_on_the_command_line() {
    for flags in [
        &[("n", "2k"), ("p", "1%"), ("filter", "blokced")][..],
        &[("n", "2k"), ("p", "1%"), ("like", "guva")],
        &[
            ("n", "2k"),
            ("p", "1%"),
            ("like", "guava"),
            ("filter", "classic"),
        ],
        &[("n", "2k"), ("p", "1%"), ("expansion", "3")],
        &[("n", "2k"), ("p", "1%"), ("prevalence", "3%")],
        &[("n", "1%"), ("p", "2000")],
        &[("n", "2k"), ("p", "1%"), ("counter_bits", "4")],
        &[("n", "2k"), ("p", "1%"), ("round", "none")],
        &[("n", "2k"), ("p", "1%"), ("grow", "+x")],
    ] {
        let texts = flags.iter().flat_map(|(name, text)| {
            [format!("--{}", name.replace('_', "-")), (*text).to_string()]
        });
        let texts: Vec<_> = texts.collect();
        let (_, _, err) = run_args(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let error = bloom_params::json::answer(flags).unwrap_err();
        let hint = error
            .hint()
            .map_or(String::new(), |hint| format!("hint: {hint}\n"));
        assert_eq!(err, format!("error: {error}\n{hint}"), "{flags:?}");
    }
}

#[test]
fn a_switch_takes_only_the_text_true() {
    for (name, text) in [("overfill", "false"), ("spread", "0"), ("explain", "")] {
        let error = bloom_params::json::answer(&[("n", "2k"), ("p", "1%"), (name, text)]);
        let rule = format!("{name} must be true or left out, got ");
        assert!(error.unwrap_err().to_string().starts_with(&rule), "{name}");
    }
}

#[test]
fn an_unknown_name_gets_the_flag_that_was_probably_meant() {
    for (name, meant) in [
        ("lik", "like"),
        ("hash_bit", "hash_bits"),
        ("later", "grow"),
        ("items", "n"),
    ] {
        let error = bloom_params::json::answer(&[("n", "2k"), ("p", "1%"), (name, "3")]);
        let error = error.unwrap_err();
        assert_eq!(error.to_string(), format!("no flag has the name {name}"));
        let hint = format!("did you mean {meant}?");
        assert_eq!(error.hint(), Some(hint.as_str()), "{name}");
    }
    let error = bloom_params::json::answer(&[("capacity", "3")]).unwrap_err();
    assert_eq!(error.hint(), None);
}
