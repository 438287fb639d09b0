//! Prints what a filter is, and its true rate.

use std::io::Write;

use bloom_params::object;
use bloom_params::report::Value;
use bloom_params::units::parse_rate;

use crate::args::InspectArgs;
use crate::file;
use crate::finding::Finding;
use crate::parquet;
use crate::systems::candidates;
use crate::{NO, Stop, YES};

pub(super) fn run(args: &InspectArgs, out: &mut dyn Write) -> Result<u8, Stop> {
    let target = args.p.as_deref().map(parse_rate).transpose()?;
    if parquet::is_file(&args.file) {
        return parquet::inspect(args, target, out);
    }
    let path = &args.file.file;
    let bytes = file::open(path)?;
    let system = file::system(&args.file, &bytes);
    let bytes = file::from_offset(&args.file, &bytes)?;
    let found = if let Some(system) = system {
        let (filter, rest) = file::by_name(path, bytes, system)?;
        vec![Finding::new(system, &filter, rest, target)]
    } else {
        let found = candidates(bytes).into_iter();
        let found = found.map(|(system, filter)| Finding::new(system, &filter, 0, target));
        found.collect()
    };
    if found.is_empty() {
        return Err(file::unknown(path, bytes).into());
    }
    let text = if args.json {
        let filters: Vec<_> = found.iter().map(Finding::json).collect();
        let page = object![
            ("file", path.to_string_lossy().into_owned()),
            ("bytes", bytes.len()),
            ("filters", filters)
        ];
        format!("{}\n", Value::from(page))
    } else {
        let mut text = String::new();
        if found.len() > 1 {
            text += &format!(
                "{} fits {} formats; choose one with --format:\n\n",
                file::display(path),
                found.len()
            );
        }
        let parts: Vec<_> = found.iter().map(Finding::human).collect();
        text + &parts.join("\n")
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    let missed = found.len() == 1 && found[0].is_missed();
    Ok(if missed { NO } else { YES })
}
