//! Reads a CSV file of results that this program wrote, either into `bench/records` or with `--csv`.

use std::fs;
use std::io;
use std::path::Path;

/// The contents of a CSV file of results: the lines `# name: value` before its table, the table's field names, and its rows.
pub(crate) struct Record {
    head: Vec<(String, String)>,
    fields: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A row of the table of a CSV file, with the table's field names.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    fields: &'a [String],
    texts: &'a [String],
}

impl<'a> Row<'a> {
    /// Returns the text of a field; an empty text if the row lacks the field.
    pub(crate) fn get(self, name: &str) -> &'a str {
        let index = self.fields.iter().position(|field| field == name);
        let text = index.and_then(|index| self.texts.get(index));
        text.map_or("", |text| text)
    }

    /// Returns the number in a field; `None` if the field has none.
    pub(crate) fn number(self, name: &str) -> Option<f64> {
        self.get(name).parse().ok()
    }
}

/// The number of items n, the rate p, and a number that the CSV file has for them.
pub(crate) type At = (f64, f64, f64);

impl Record {
    /// Reads a CSV file.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        Ok(Self::parse(&fs::read_to_string(path)?))
    }

    pub(crate) fn parse(text: &str) -> Self {
        let (head, table): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with('#'));
        let head = head.iter().filter_map(|line| {
            let (name, value) = line.trim_start_matches("# ").split_once(": ")?;
            Some((name.to_owned(), value.to_owned()))
        });
        let fields = |line: &&str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut rows = table.iter().map(fields);
        Self {
            head: head.collect(),
            fields: rows.next().unwrap_or_default(),
            rows: rows.collect(),
        }
    }

    pub(crate) fn head(&self, name: &str) -> &str {
        let line = self.head.iter().find(|(found, _)| found == name);
        line.map_or("", |(_, value)| value)
    }

    /// Returns the date, the processor and the compiler as one text.
    pub(crate) fn when(&self) -> String {
        let first = |name: &str, end: char| {
            let value = self.head(name).split(end).next().unwrap_or_default();
            value.trim().to_owned()
        };
        let (date, compiler) = (first("date", ' '), first("compiler", '('));
        format!("{date}; {}; {compiler}", self.head("processor"))
    }

    /// Returns the maker, family and model of the processor, such as `AMD 26/2`; or its whole name if that has no family.
    pub(crate) fn short_name(&self) -> String {
        let name = self.head("processor");
        let numbers = name.split_once("(family ").map(|(_, numbers)| numbers);
        match numbers.and_then(|numbers| numbers.strip_suffix(')')) {
            Some(numbers) => {
                let maker = name.split(['(', ' ']).next().unwrap_or_default();
                format!("{maker} {}", numbers.replace(", model ", "/"))
            }
            None => name.to_owned(),
        }
    }

    /// Returns the table's rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let fields = &self.fields;
        self.rows.iter().map(move |texts| Row { fields, texts })
    }

    /// Returns the numbers in a column of the rows with this filter, this operation and u64 keys: one for each n and p.
    pub(crate) fn all(&self, filter: &str, operation: &str, column: &str) -> Vec<At> {
        let rows = self.rows().filter(|row| {
            ["keys", "candidate", "operation"].map(|name| row.get(name))
                == ["u64", filter, operation]
        });
        let numbers =
            |row: Row<'_>| Some((row.number("n")?, row.number("p")?, row.number(column)?));
        rows.filter_map(numbers).collect()
    }

    /// Returns how many times as fast `filter` is as the filter `other`, for each n and p. If `other` is `its insert`, returns
    /// the speed of the operation divided by the speed of the same filter's inserts.
    pub(crate) fn ratios(&self, filter: &str, other: &str, operation: &str) -> Vec<At> {
        if other != "its insert" {
            return self.all(filter, operation, &format!("vs_{other}_median"));
        }
        let [inserts, times] =
            ["insert", operation].map(|name| self.all(filter, name, "ns_median"));
        let pairs = inserts.into_iter().zip(times);
        pairs
            .map(|(insert, time)| (time.0, time.1, insert.2 / time.2))
            .collect()
    }

    /// Returns the name of the first cache, instruction caches aside, that is large enough for a filter of a million items at
    /// every rate in the CSV file; or `memory` if no listed cache is large enough.
    pub(crate) fn cache(&self, filter: &str) -> String {
        let bits = self.all(filter, "present", "bits_per_item");
        let bits = bits.iter().filter(|(items, ..)| *items == 1e6);
        let kib = bits.fold(0.0, |most: f64, (.., bits)| most.max(*bits)) * 1e6 / 8192.0;
        let mut caches = self.head("caches").split(", ").filter_map(|cache| {
            let (name, size) = cache.split_once(' ')?;
            let size = size.strip_suffix('K')?.parse::<f64>().ok()?;
            (size >= kib && !name.ends_with('i')).then_some(name)
        });
        caches
            .next()
            .unwrap_or("memory")
            .trim_end_matches('d')
            .to_owned()
    }
}

/// The CSV files of a processor: one for each level of vector instructions in the order of `Level::ALL`, or `None` if it is
/// missing.
pub(crate) type Levels = [Option<Record>; 3];
