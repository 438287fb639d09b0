//! Builds a filter of the keys in the standard input.

use std::io::{self, Write};

use bloom_params::numbers::{grouped, nearest, rate_up};
use bloom_params::units::{parse_items, parse_rate};
use bloom_terminal::report::verdict;

use super::{BadLines, FIRST, carriage_returns, check_type, file, remark, wrong_type};
use crate::args::BuildArgs;
use crate::input::{chunks, length_of_stdin, lines};
use crate::key::KeyType;
use crate::systems::builds;
use crate::{Stop, YES};

pub(super) fn run(args: &BuildArgs, err: &mut dyn Write) -> Result<u8, Stop> {
    let (items, rate) = (parse_items(&args.n)?, parse_rate(&args.p)?);
    let mut known = builds();
    let (system, build) = known
        .find(|(_, build)| build.name == args.format)
        .expect("the parser accepts only these names");
    let keys = args.keys.keys;
    check_type(system, keys)?;
    let target = file::target(&args.output)?;
    let mut filter = (build.create)(items, rate)?;
    let (mut count, mut returns, mut bad) = (0_u64, 0, BadLines::default());
    chunks(io::stdin().lock(), length_of_stdin(), |chunk| {
        let mut buffer = Vec::new();
        for line in lines(chunk) {
            count += 1;
            if count <= FIRST && keys == KeyType::Text {
                returns += u64::from(line.ends_with(b"\r"));
            }
            let inserted = keys.read(line, &mut buffer).and_then(|key| {
                let inserted = filter.insert(key);
                inserted.unwrap_or_else(|| Err(wrong_type(system, keys)))
            });
            if let Err(error) = inserted {
                bad.push(count, error);
                if !args.keys.skip_bad_lines {
                    bad.refuse(0)?;
                }
            }
        }
        Ok(())
    })?;
    file::write(&target, &filter.to_bytes()?)?;
    count -= bad.count;
    let facts = filter.facts();
    let distinct = match &facts.items {
        Some(items) if count > 0 => {
            format!(" (about {} distinct)", nearest(items.items.round(), 6))
        }
        Some(_) => String::new(),
        None => " (every bit is set)".to_string(),
    };
    let text = format!(
        "{} {}{distinct}, n = {}: m = {}, k = {}, p = {} now, target {}: {}",
        grouped(count),
        if count == 1 { "key" } else { "keys" },
        grouped(items),
        grouped(facts.bits),
        facts.hashes,
        rate_up(facts.rate, facts.rate.ln(), Some(rate)),
        nearest(rate, 5),
        verdict(facts.rate <= rate)
    );
    remark(err, &text)?;
    carriage_returns(returns, count, err)?;
    bad.note(keys, err)?;
    for warning in &facts.warnings {
        remark(err, warning)?;
    }
    Ok(YES)
}
