//! Asks whether keys are in a filter.

use std::io::{self, Write};
use std::thread;

use bloom_params::InputError;

use super::{FIRST, carriage_returns, check_type, file, remark, wrong_type};
use crate::args::{Only, QueryArgs};
use crate::input::{chunks, length_of_stdin, lines, parts};
use crate::key::KeyType;
use crate::systems::{Opened, System};
use crate::{NO, Stop, YES};

/// Parts of a chunk are not smaller than this, so that a thread is worth its start.
const LEAST_PART: usize = 1 << 16;

/// What a part of the input is answered.
#[derive(Default)]
struct Answered {
    text: Vec<u8>,
    yes: u64,
    keys: u64,
    /// Those of the first keys that look like integers.
    integers: u64,
    /// Those of the first keys that end with CR.
    returns: u64,
    /// The first line that is no key, from 1, and why.
    wrong: Option<(u64, InputError)>,
}

/// What is asked of which filter.
struct Asked<'a> {
    filter: Opened<'a>,
    system: &'static System,
    keys: KeyType,
    only: Option<Only>,
    count: bool,
}

pub(super) fn run(args: &QueryArgs, err: &mut dyn Write) -> Result<u8, Stop> {
    let path = &args.file.file;
    if path.as_os_str() == "-" && args.key.is_none() {
        let message = "filter and keys must not both come from the standard input";
        return Err(InputError::new(message).into());
    }
    let bytes = file::bytes(&args.file)?;
    let (system, filter) = match args.file.system() {
        Some(system) => {
            let (filter, rest) = file::named(path, &bytes, system)?;
            if let Some(text) = file::ignored(rest, system) {
                remark(err, &text)?;
            }
            (system, filter)
        }
        None => file::only(path, &bytes)?,
    };
    check_type(system, args.keys.keys)?;
    let asked = Asked {
        filter,
        system,
        keys: args.keys.keys,
        only: args.only,
        count: args.count,
    };
    let mut out = io::stdout().lock();
    if let Some(key) = &args.key {
        let answered = asked.answer(key.as_bytes());
        if let Some((_, error)) = answered.wrong {
            return Err(error.into());
        }
        if args.count {
            counts(&answered, &mut out)?;
        } else {
            out.write_all(&answered.text)?;
        }
        out.flush()?;
        asked.doubt(&answered, err)?;
        return Ok(if answered.yes > 0 { YES } else { NO });
    }
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut all = Answered::default();
    chunks(io::stdin().lock(), length_of_stdin(), |chunk| {
        let parts = parts(chunk, threads.min(chunk.len().div_ceil(LEAST_PART)));
        let answers: Vec<Answered> = match parts.as_slice() {
            [part] => vec![asked.answer_all(part)],
            parts => thread::scope(|scope| {
                let asked = &asked;
                let workers = parts
                    .iter()
                    .map(|part| scope.spawn(|| asked.answer_all(part)));
                let workers: Vec<_> = workers.collect();
                let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
                joined
                    .map(|answers| answers.expect("a query never panics"))
                    .collect()
            }),
        };
        for answered in answers {
            out.write_all(&answered.text)?;
            if let Some((line, error)) = answered.wrong {
                out.flush()?;
                let message = format!("line {}: {error}", all.keys + line);
                return Err(InputError::new(message)
                    .with_hint(error.hint().unwrap_or_default())
                    .into());
            }
            all.yes += answered.yes;
            all.keys += answered.keys;
            all.integers += answered.integers;
            if all.keys == answered.keys {
                all.returns = answered.returns;
            }
        }
        Ok(())
    })?;
    if args.count {
        counts(&all, &mut out)?;
    }
    out.flush()?;
    carriage_returns(all.returns, all.keys, err)?;
    asked.doubt(&all, err)?;
    Ok(if all.keys == 1 && all.yes == 0 {
        NO
    } else {
        YES
    })
}

impl Asked<'_> {
    /// Answers each line of a part.
    fn answer_all(&self, part: &[u8]) -> Answered {
        let mut answered = Answered::default();
        let mut buffer = Vec::new();
        for line in lines(part) {
            self.answer_line(line, &mut buffer, &mut answered);
            if answered.wrong.is_some() {
                break;
            }
        }
        answered
    }

    /// Answers one key, whatever is in it.
    fn answer(&self, key: &[u8]) -> Answered {
        let mut answered = Answered::default();
        self.answer_line(key, &mut Vec::new(), &mut answered);
        answered
    }

    fn answer_line(&self, line: &[u8], buffer: &mut Vec<u8>, answered: &mut Answered) {
        answered.keys += 1;
        let answer = self.keys.read(line, buffer).and_then(|key| {
            let answer = self.filter.contains(key);
            answer.unwrap_or_else(|| Err(wrong_type(self.system, self.keys)))
        });
        let is_in = match answer {
            Ok(is_in) => is_in,
            Err(error) => {
                answered.wrong = Some((answered.keys, error));
                return;
            }
        };
        answered.yes += u64::from(is_in);
        // Only the first keys: this is for a hint.
        if self.keys == KeyType::Text && answered.keys <= FIRST {
            answered.returns += u64::from(line.ends_with(b"\r"));
            let digits = line.trim_ascii();
            let digits = digits.strip_prefix(b"-").unwrap_or(digits);
            let is_integer = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
            answered.integers += u64::from(is_integer);
        }
        let text = &mut answered.text;
        match self.only {
            _ if self.count => {}
            None => text.extend_from_slice(if is_in { b"yes\n" } else { b"no\n" }),
            Some(only) if (only == Only::Yes) == is_in => {
                text.extend_from_slice(line);
                text.push(b'\n');
            }
            Some(_) => {}
        }
    }

    /// Says so if the keys seem to have another type than those in the filter.
    fn doubt(&self, all: &Answered, err: &mut dyn Write) -> io::Result<()> {
        let keys = self.system.keys;
        let Some(other) = [KeyType::I64, KeyType::I64Be]
            .into_iter()
            .find(|key| keys.contains(key))
        else {
            return Ok(());
        };
        if self.keys != KeyType::Text || all.keys == 0 || all.integers < all.keys.min(FIRST) {
            return Ok(());
        }
        // No more than by chance, up to five standard deviations.
        let expected = all.keys as f64 * self.filter.facts().rate;
        if all.yes as f64 <= expected + 5.0 * expected.sqrt() && all.yes < all.keys {
            let text = format!(
                "the keys look like integers, and only as many match as false positives explain: if they were \
                 inserted as numbers, write --keys {} or another type of integer",
                other.name()
            );
            remark(err, &text)?;
        }
        Ok(())
    }
}

/// Prints how many keys have each answer.
fn counts(all: &Answered, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "yes {}\nno {}", all.yes, all.keys - all.yes)
}
