//! Markdown as plain text: lines of a limited width, underlined headings, tables in columns.

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use super::events;

/// Marks a break within a paragraph.
const BREAK: char = '\n';
/// Between the columns of a table.
const GAP: &str = "   ";

/// The text in lines of at most `width` letters, where words allow it.
pub(in crate::letter) fn to_text(markdown: &str, width: usize) -> String {
    let mut page = Page { width, ..Page::default() };
    for event in events(markdown) {
        page.add(event);
    }
    page.flush();
    let text = page.text.trim_start_matches('\n').trim_end().to_owned() + "\n";
    // What belongs together stays on a line; in a file of plain text that is an ordinary space.
    text.replace('\u{a0}', " ")
}

/// What has been written, and what is being read.
#[derive(Default)]
struct Page {
    width: usize,
    text: String,
    /// The words of the block that is being read.
    words: String,
    /// The next number of every list that is open; none for those without numbers.
    lists: Vec<Option<u64>>,
    /// The mark of a list's item that has not been written yet.
    mark: Option<String>,
    heading: Option<HeadingLevel>,
    /// The cells of a table, the header first.
    table: Vec<Vec<String>>,
}

impl Page {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) | Event::Code(text) => self.words.push_str(&text),
            Event::SoftBreak => self.words.push(' '),
            Event::HardBreak => self.words.push(BREAK),
            Event::Rule => {
                self.flush();
                self.block(&"-".repeat(self.width.min(40)));
            }
            Event::Start(tag) => self.open(&tag),
            Event::End(tag) => self.close(tag),
            _ => {}
        }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.heading = Some(*level);
            }
            Tag::List(start) => {
                self.flush();
                self.lists.push(*start);
            }
            Tag::Item => {
                self.mark = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                });
            }
            Tag::Table(_) => {
                self.flush();
                self.table.clear();
            }
            Tag::TableHead | Tag::TableRow => self.table.push(Vec::new()),
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Item | TagEnd::Heading(_) => self.flush(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.text.push('\n');
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words).replace(BREAK, " ");
                if let Some(row) = self.table.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                let table = std::mem::take(&mut self.table);
                let lines = in_columns(&table, self.width).unwrap_or_else(|| one_by_one(&table));
                self.block(&lines);
            }
            _ => {}
        }
    }

    /// Writes the block that has been read.
    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.trim().is_empty() {
            return;
        }
        if let Some(level) = self.heading.take() {
            let line = if level == HeadingLevel::H1 { "=" } else { "-" };
            let length = words.chars().count().min(self.width);
            self.block(&format!("{}\n{}", wrapped(&words, self.width, 0), line.repeat(length)));
        } else if self.lists.is_empty() {
            self.block(&wrapped(&words, self.width, 0));
        } else {
            let mark = self.mark.take().unwrap_or_else(|| "  ".to_owned());
            let outer = "  ".repeat(self.lists.len() - 1);
            let indent = outer.len() + mark.len();
            self.text.extend([
                outer.as_str(),
                mark.as_str(),
                wrapped(&words, self.width, indent).as_str(),
                "\n",
            ]);
        }
    }

    /// Lines with an empty line after them.
    fn block(&mut self, lines: &str) {
        self.text.push_str(lines);
        self.text.push_str("\n\n");
    }
}

/// Words in lines, all but the first of which are indented.
fn wrapped(words: &str, width: usize, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in words.split(BREAK) {
        let mut line = String::new();
        for word in part.split_ascii_whitespace() {
            let length = line.chars().count() + 1 + word.chars().count();
            if !line.is_empty() && indent + length > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

/// A table with its columns side by side, if that is narrow enough.
fn in_columns(table: &[Vec<String>], width: usize) -> Option<String> {
    let columns = table.first()?.len();
    let widest = |column: usize| {
        table.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> =
        (0..columns).map(|column| widest(column).unwrap_or_default()).collect();
    let whole: usize = widths.iter().sum::<usize>() + GAP.len() * columns.saturating_sub(1);
    if whole > width {
        return None;
    }
    let line = |cells: &[String]| {
        let padded: Vec<String> =
            cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        padded.join(GAP).trim_end().to_owned()
    };
    let mut lines: Vec<String> = table.iter().map(|row| line(row)).collect();
    lines.insert(1, "-".repeat(whole));
    Some(lines.join("\n"))
}

/// A table too wide for columns: every row as a list of headings and cells.
fn one_by_one(table: &[Vec<String>]) -> String {
    let Some((header, rows)) = table.split_first() else { return String::new() };
    let row = |row: &Vec<String>| {
        let pairs = header.iter().zip(row);
        let lines = pairs.enumerate().map(|(column, (heading, cell))| {
            if column == 0 { cell.clone() } else { format!("  {heading}: {cell}") }
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_lists_and_headings_have_lines_of_their_own() {
        let markdown = "# A title\n\nSome words that are\nwrapped.\\\nA new line.\n\n1. **One** thing that is longer\n2. Two\n\n- x\n- y\n\nEnd.\n";
        let expected = "A title\n=======\n\nSome words that are\nwrapped.\nA new line.\n\n1. One thing that is\n   longer\n2. Two\n\n- x\n- y\n\nEnd.\n";
        assert_eq!(to_text(markdown, 20), expected);
    }

    #[test]
    fn tables_stand_in_columns_where_they_fit() {
        let markdown = "| Feature | Now |\n|---|---|\n| Amount | 6,229 DM |\n";
        let columns = "Feature   Now\n------------------\nAmount    6,229 DM\n";
        assert_eq!(to_text(markdown, 30), columns);
        assert_eq!(to_text(markdown, 12), "Amount\n  Now: 6,229 DM\n");
    }
}
