//! Prints whether keys may be in a filter.

use std::collections::HashSet;
use std::io::{self, Write};
use std::thread;

use bloom_core::math::measured::Band;
use bloom_params::InputError;
use bloom_params::numbers::{counted, grouped, nearest};
use bloom_params::report::warning;

use crate::args::{KeysArgs, Only, QueryArgs};
use crate::file;
use crate::input::{BadLines, Returns, chunks, length_of_stdin, lines, parts, remark};
use crate::key::KeyType;
use crate::parquet;
use crate::systems::{Opened, System};
use crate::{NO, Stop, YES};

/// The input is read in chunks. A chunk is split among threads into at most one part for every `MIN_PART` bytes, rounded up:
/// shorter parts would not be worth a thread.
const MIN_PART: usize = 1 << 16;

/// The maximum number of distinct lines that are also queried as keys of other types than `--keys`.
const SAMPLE: usize = 10_000;

/// The greatest probability of a false alarm about the type of the keys.
const ERROR: f64 = 1e-9;

/// If no queried key was inserted, the number of found keys is outside of a [`Band`] with at most this probability. If the
/// number is inside, a note says that false positives alone explain it.
const COMMON: f64 = 0.05;

/// The answers to a part of the input.
#[derive(Default)]
struct Answered {
    text: Vec<u8>,
    yes: u64,
    keys: u64,
    bad: BadLines,
}

/// The filter that is queried, the type of its keys, and what is printed about each key.
struct Question<'a> {
    filter: Opened<'a>,
    system: &'static System,
    keys: &'a KeysArgs,
    only: Option<Only>,
    count: bool,
}

pub(super) fn run(args: &QueryArgs, err: &mut dyn Write) -> Result<u8, Stop> {
    let path = &args.file.file;
    if path.as_os_str() == "-" && args.key.is_none() {
        let message = "filter and keys must not both come from the standard input";
        return Err(InputError::new(message).into());
    }
    if parquet::is_queried(args)? {
        return parquet::query(args, err);
    }
    let bytes = file::open(path)?;
    let (system, filter) = file::opened(&args.file, &bytes, err)?;
    system.check_type(args.keys.key_type())?;
    let question = Question {
        filter,
        system,
        keys: &args.keys,
        only: args.only,
        count: args.count,
    };
    let mut out = io::stdout().lock();
    if let Some(key) = &args.key {
        let answered = question.answer(key.as_encoded_bytes());
        answered.bad.refuse_key()?;
        if args.count {
            counts(&answered, &mut out)?;
        } else {
            out.write_all(&answered.text)?;
        }
        out.flush()?;
        if answered.yes == 0 {
            question.hint_of_type(key.as_encoded_bytes(), err)?;
        }
        return Ok(if answered.yes > 0 { YES } else { NO });
    }
    let threads = match args.threads {
        Some(threads) => threads.get(),
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let mut all = Answered::default();
    let (mut sample, mut returns) = (HashSet::new(), Returns::default());
    chunks(io::stdin().lock(), length_of_stdin(), |chunk| {
        returns.look(args.keys.key_type(), chunk);
        if sample.len() < SAMPLE {
            let left = SAMPLE - sample.len();
            sample.extend(lines(chunk).take(left).map(<[u8]>::to_vec));
        }
        let parts = parts(chunk, threads.min(chunk.len().div_ceil(MIN_PART)));
        let answers: Vec<Answered> = match parts.as_slice() {
            [part] => vec![question.answer_all(part)],
            parts => thread::scope(|scope| {
                let question = &question;
                let workers = parts
                    .iter()
                    .map(|part| scope.spawn(|| question.answer_all(part)));
                let workers: Vec<_> = workers.collect();
                let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
                joined
                    .map(|answers| answers.expect("a query never panics"))
                    .collect()
            }),
        };
        for answered in answers {
            out.write_all(&answered.text)?;
            if !args.keys.skip_bad_lines && answered.bad.count > 0 {
                out.flush()?;
                answered.bad.refuse(all.keys)?;
            }
            all.bad.add(answered.bad, all.keys);
            all.yes += answered.yes;
            all.keys += answered.keys;
        }
        Ok(())
    })?;
    if args.count {
        counts(&all, &mut out)?;
    }
    out.flush()?;
    returns.note(err)?;
    all.bad.note(args.keys.key_type(), err)?;
    let is_doubted = question.doubt(&all, &sample, err)?;
    let is_absent = all.keys - all.bad.count == 1 && all.yes == 0;
    Ok(if is_absent || is_doubted && args.strict {
        NO
    } else {
        YES
    })
}

impl Question<'_> {
    /// Answers each line of a part.
    fn answer_all(&self, part: &[u8]) -> Answered {
        let mut answered = Answered::default();
        let mut buffer = Vec::new();
        for line in lines(part) {
            self.answer_line(line, &mut buffer, &mut answered);
            if answered.bad.count > 0 && !self.keys.skip_bad_lines {
                break;
            }
        }
        answered
    }

    /// Answers one key, even if it contains a line feed.
    fn answer(&self, key: &[u8]) -> Answered {
        let mut answered = Answered::default();
        self.answer_line(key, &mut Vec::new(), &mut answered);
        answered
    }

    fn answer_line(&self, line: &[u8], buffer: &mut Vec<u8>, answered: &mut Answered) {
        answered.keys += 1;
        let is_in = match self.is_in(line, self.keys.key_type(), buffer) {
            Ok(is_in) => is_in,
            Err(error) => {
                answered.bad.push(answered.keys, error);
                // A bad key gets a line, too, so that the lines of answers match the lines of keys.
                if self.only.is_none() && !self.count && self.keys.skip_bad_lines {
                    answered.text.extend_from_slice(b"bad\n");
                }
                return;
            }
        };
        answered.yes += u64::from(is_in);
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

    /// Returns whether a line, read as a key of this type, may be in the filter.
    fn is_in(&self, line: &[u8], keys: KeyType, buffer: &mut Vec<u8>) -> Result<bool, InputError> {
        self.filter.contains(keys.read(line, buffer)?)
    }

    /// Returns the types of keys that the system has, except the type of `--keys`.
    fn other_types(&self) -> impl Iterator<Item = KeyType> {
        let keys = self.system.keys.iter().copied();
        keys.filter(|keys| *keys != self.keys.key_type())
    }

    /// After the answer no for a single key, reports the first other type with which the answer is yes.
    fn hint_of_type(&self, key: &[u8], err: &mut dyn Write) -> io::Result<()> {
        let is_in = |keys: &KeyType| self.is_in(key, *keys, &mut Vec::new()).unwrap_or(false);
        match self.other_types().find(is_in) {
            Some(other) => remark(
                err,
                &format!("with --keys {} the answer is yes", other.name()),
            ),
            None => Ok(()),
        }
    }

    /// Prints a note if false positives alone explain how many keys are found. If more keys are found as another type than
    /// false positives explain, the keys were inserted as that type: then prints a warning instead, and returns `true`.
    fn doubt(
        &self,
        all: &Answered,
        sample: &HashSet<Vec<u8>>,
        err: &mut dyn Write,
    ) -> io::Result<bool> {
        let keys = all.keys - all.bad.count;
        if all.yes == keys || keys == 0 {
            return Ok(false);
        }
        let rate = self.filter.rate();
        let explains = |keys: u64, yes: u64, error| {
            Band::new(keys, 0.0, rate, error).is_ok_and(|band| band.contains(yes))
        };
        if !explains(keys, all.yes, ERROR) {
            return Ok(false);
        }
        let error = ERROR / self.system.keys.len() as f64;
        let found = self.other_types().filter_map(|other| {
            let mut buffer = Vec::new();
            let answers = sample
                .iter()
                .filter_map(|line| self.is_in(line, other, &mut buffer).ok());
            let answers: Vec<bool> = answers.collect();
            let (keys, yes) = (
                answers.len() as u64,
                answers.iter().filter(|is_in| **is_in).count() as u64,
            );
            (keys > 0 && !explains(keys, yes, error)).then_some((yes, keys, other))
        });
        // If several types find the same number of keys, the first of them is named.
        let best = found.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let text = format!(
            "{} of {} found ({} %); false positives alone explain {} %",
            grouped(all.yes),
            counted(keys, "key"),
            nearest(100.0 * all.yes as f64 / keys as f64, 3),
            nearest(100.0 * rate, 3)
        );
        if let Some((yes, keys, other)) = best {
            let (yes, keys) = (grouped(yes), counted(keys, "different key"));
            let text = format!(
                "{text}. With --keys {}, {yes} of {keys} are found: they were inserted as that type",
                other.name()
            );
            write!(err, "{}", warning(&text))?;
        } else if explains(keys, all.yes, COMMON) {
            remark(err, &text)?;
        }
        Ok(best.is_some())
    }
}

/// Prints how many keys have each answer.
fn counts(all: &Answered, out: &mut impl Write) -> io::Result<()> {
    let no = all.keys - all.bad.count - all.yes;
    writeln!(out, "yes {}\nno {no}", all.yes)?;
    if all.bad.count > 0 {
        writeln!(out, "bad {}", all.bad.count)?;
    }
    Ok(())
}
