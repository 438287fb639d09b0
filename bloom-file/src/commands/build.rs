//! Builds a filter of the keys in the standard input. With `--into`, `parquet::build` adds filters to a copy
//! of a Parquet file instead.

use std::io::{self, Write};

use bloom_params::InputError;
use bloom_params::numbers::{counted, grouped, nearest, rate_up};
use bloom_params::units::{displayed, parse_bits, parse_hashes, parse_items, parse_rate};
use bloom_terminal::report::verdict;

use super::convert::{check_chunks, written};
use crate::args::{BuildArgs, ExtraArgs};
use crate::file;
use crate::input::{BadLines, Returns, chunks, length_of_stdin, lines, remark};
use crate::parquet;
use crate::systems::{Build, Extra, Request, Stored, builds};
use crate::{Stop, YES};

pub(super) fn run(args: &BuildArgs, err: &mut dyn Write) -> Result<u8, Stop> {
    if let Some(into) = &args.into {
        return parquet::build(args, into, err);
    }
    if let Some(file) = &args.file {
        let file = displayed(&file.to_string_lossy());
        let error = format!("FILE is only for --into, got {file}");
        let hint = "keys are read from the standard input; --into COPY --column COLUMN adds filters to a Parquet file";
        return Err(InputError::new(error).with_hint(hint).into());
    }
    let format = args.format.as_ref();
    let format = format.expect("the parser requires it without --into and a file");
    let mut known = builds();
    let (system, build) = known
        .find(|(_, build)| build.name == format)
        .expect("the parser accepts only these names");
    let keys = args.keys.key_type();
    system.check_type(keys)?;
    check_chunks(system, &args.chunks)?;
    let target = file::target(&args.output)?;
    let request = request(args.n.as_deref(), args.p.as_deref(), &args.extra, build)?;
    let mut filter = (build.create)(&request)?;
    let (mut count, mut returns, mut bad) = (0_u64, Returns::default(), BadLines::default());
    let (mut new, mut ignored) = (0_u64, 0_u64);
    chunks(io::stdin().lock(), length_of_stdin(), |chunk| {
        returns.look(keys, chunk);
        let mut buffer = Vec::new();
        for line in lines(chunk) {
            count += 1;
            let key = keys.read(line, &mut buffer);
            let inserted = key.clone().and_then(|key| filter.insert(key));
            new += u64::from(inserted == Ok(true));
            // A system that ignores the empty key does not find it after the insertion.
            if inserted == Ok(false) && line.is_empty() {
                ignored += u64::from(!filter.contains(key.clone()?)?);
            }
            if let Err(error) = inserted {
                // A line whose key is valid is not a bad line, even if the filter has no room for the key.
                let is_key = key.is_ok_and(|key| filter.contains(key).is_ok());
                let is_skipped = args.keys.skip_bad_lines && !is_key;
                if !is_skipped {
                    bad = BadLines::default();
                }
                bad.push(count, error);
                if !is_skipped {
                    bad.refuse(0)?;
                }
            }
        }
        Ok(())
    })?;
    file::write(&target, &written(system, &filter, &args.chunks)?)?;
    count -= bad.count + ignored;
    let facts = filter.facts();
    let distinct = match (&facts.items, system.options.stored) {
        (None, _) if facts.fill == 1.0 => " (every bit is set)".to_string(),
        (Some(_), Stored::New) => format!(" ({} stored)", grouped(new)),
        (Some(items), Stored::Distinct) if count > 0 => {
            let items = count.min(items.items.round() as u64);
            format!(" (about {} distinct)", grouped(items))
        }
        _ => String::new(),
    };
    let n = args.n.as_ref().map_or(String::new(), |_| {
        format!(", n = {}", grouped(request.items))
    });
    let certainty = facts.certainty();
    let certainty = certainty.map_or(String::new(), |text| format!(" ({text})"));
    let mut text = format!(
        "{}{distinct}{n}: m = {}, k = {}, p = {} now{certainty}",
        counted(count, "key"),
        grouped(facts.bits),
        facts.hashes,
        rate_up(facts.rate, facts.rate.ln(), Some(request.rate)),
    );
    if args.p.is_some() {
        let target = nearest(request.rate, 5);
        text += &format!(", target {target}: {}", verdict(facts.rate <= request.rate));
    }
    remark(err, &text)?;
    if args.p.is_some()
        && let Some(doubt) = facts.doubt(request.rate)
    {
        remark(err, &doubt)?;
    }
    if ignored > 0 {
        let ignored = counted(ignored, "empty key");
        remark(
            err,
            &format!("skipped {ignored}: {} ignores the empty key", build.name),
        )?;
    }
    returns.note(err)?;
    bad.note(keys, err)?;
    for warning in &facts.warnings {
        remark(err, warning)?;
    }
    Ok(YES)
}

/// Checks that this kind of filter takes the flags, and returns the request that they make.
pub(crate) fn request(
    n: Option<&str>,
    p: Option<&str>,
    extra: &ExtraArgs,
    build: &Build,
) -> Result<Request, InputError> {
    let needed = |flag: &str| InputError::new(format!("--{flag} must be given for {}", build.name));
    for (flag, is_given, kind) in [
        ("--m", extra.m.is_some(), Extra::Bits),
        ("--k", extra.k.is_some(), Extra::Hashes),
        ("--seed", extra.seed.is_some(), Extra::Seed),
        ("--growth", extra.growth.is_some(), Extra::Growth),
    ] {
        if is_given && !build.takes.contains(&kind) {
            let message = format!("{flag} must be left out for {}", build.name);
            let hint = "the system computes it, or does not have it";
            return Err(InputError::new(message).with_hint(hint));
        }
    }
    // The parser of the command line requires --m with --k, but not if --p is given, because --p excludes --m.
    if extra.k.is_some() && extra.m.is_none() {
        let hint = "give m in place of p, or leave out k";
        return Err(InputError::new("k can be given only with m").with_hint(hint));
    }
    let (low, high) = (i64::MIN, u64::MAX);
    if let Some(seed) = extra
        .seed
        .filter(|seed| *seed < low.into() || *seed > high.into())
    {
        let message = format!("--seed must be from {low} to {high}, got {seed}");
        return Err(InputError::new(message));
    }
    let size = match (&extra.m, &extra.k) {
        (None, _) => None,
        (Some(_), None) if build.takes.contains(&Extra::Hashes) => return Err(needed("k")),
        (Some(bits), hashes) => {
            let hashes = hashes.as_deref().map_or(Ok(1), parse_hashes)?;
            Some((parse_bits(bits)?, hashes))
        }
    };
    let items = match n {
        Some(items) => parse_items(items)?,
        None if size.is_none() || build.takes.contains(&Extra::Items) => return Err(needed("n")),
        None => 0,
    };
    let rate = match p {
        Some(rate) => parse_rate(rate)?,
        None if size.is_none() => return Err(needed("p")),
        None => 1.0,
    };
    Ok(Request {
        items,
        rate,
        size,
        seed: extra.seed,
        growth: extra.growth,
    })
}
