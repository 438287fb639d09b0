//! Reads tables of reference values; a field of a row is found by the name of its column.

/// A table of comma-separated values with a header.
pub(crate) struct Table {
    columns: Vec<&'static str>,
    lines: Vec<&'static str>,
}

/// One row of a [`Table`].
pub(crate) struct Row<'a> {
    table: &'a Table,
    line: &'static str,
}

impl Table {
    /// Reads a table. Panics if the table has no rows, because a test that uses it would pass without checking anything.
    pub(crate) fn new(text: &'static str) -> Self {
        let mut lines = text.lines();
        let columns = lines.next().expect("a header").split(',').collect();
        let lines: Vec<_> = lines.collect();
        assert!(!lines.is_empty(), "a table without rows");
        Self { columns, lines }
    }

    /// Returns every row.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.lines.iter().map(|line| Row { table: self, line })
    }
}

impl Row<'_> {
    /// Returns the row as it is in the file, for messages.
    pub(crate) fn text(&self) -> &str {
        self.line
    }

    /// Returns the text in a column.
    pub(crate) fn field(&self, column: &str) -> &str {
        let columns = &self.table.columns;
        let index = columns.iter().position(|name| *name == column);
        let index = index.unwrap_or_else(|| panic!("no column {column} in {columns:?}"));
        self.line.split(',').nth(index).expect("a full row")
    }

    /// Returns the integer in a column.
    pub(crate) fn int(&self, column: &str) -> u64 {
        self.field(column).parse().expect("an integer")
    }

    /// Returns the integer in a column, if the table has that column.
    pub(crate) fn optional_int(&self, column: &str) -> Option<u64> {
        let has = self.table.columns.contains(&column);
        has.then(|| self.int(column))
    }

    /// Returns the number of hashes in a column.
    pub(crate) fn hashes(&self, column: &str) -> u8 {
        self.field(column).parse().expect("a number up to 255")
    }

    /// Returns the number in a column, rounded to the nearest `f64`.
    pub(crate) fn float(&self, column: &str) -> f64 {
        self.field(column).parse().expect("a number")
    }
}
