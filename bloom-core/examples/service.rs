//! Answers whether a user may have visited a site on a given day. Another program, for instance one written in Python, has
//! saved the visits in a filter. Each line of the standard input is a user, a space and the number of a day. For each line
//! the program prints `yes` (perhaps visited) or `no` (certainly not).
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
    // The file does not say which type its items have. The program that saved it must have inserted pairs of a string and an
    // integer, because this program queries such pairs.
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
