//! Answers whether a user may have been here on a given day, from a filter that another program saved, for instance one
//! in Python. Each line of the input is a user and a day; `yes` or `no` is printed for it.
//!
//! ```sh
//! cargo run --release -p bloom-core --example service visits.bloom < visits
//! ```

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::{env, fs};

use bloom_core::BloomFilter;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: service FILTER < VISITS")?;
    // The type of the keys is not in the file: both programs must use the same type.
    let bytes = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let visits = BloomFilter::<(String, i64)>::from_bytes(&bytes)?;
    let mut output = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lines() {
        let line = line?;
        let (user, day) = line
            .split_once(' ')
            .ok_or("a line must be a user and a day")?;
        let number = day
            .parse()
            .map_err(|_| format!("day must be a whole number, got {day}"))?;
        let visit = (user.to_string(), number);
        writeln!(
            output,
            "{}",
            if visits.contains(&visit) { "yes" } else { "no" }
        )?;
    }
    Ok(output.flush()?)
}
