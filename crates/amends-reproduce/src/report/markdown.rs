//! The report as Markdown, with its pictures in files beside it.

use std::fmt::Write;

use crate::report::document::{Block, Document, Table};

pub fn markdown(document: &Document) -> String {
    let mut text = format!("# {}\n", document.title);
    for section in &document.sections {
        let _ = write!(text, "\n## {}\n", section.title);
        for block in &section.blocks {
            text.push('\n');
            let _ = match block {
                Block::Text(words) => writeln!(text, "{words}"),
                Block::Warning(words) => writeln!(text, "> **Mind:** {words}"),
                Block::Table(table) => write!(text, "{}", self::table(table)),
                Block::Figures(figures) => {
                    figures.iter().enumerate().try_for_each(|(i, figure)| {
                        let gap = if i > 0 { "\n" } else { "" };
                        writeln!(text, "{gap}![{0}]({1}.svg)\n\n*{0}*", figure.caption, figure.name)
                    })
                }
            };
        }
    }
    text
}

fn table(table: &Table) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule: Vec<String> = (0..table.header.len())
        .map(|column| if column < table.words { "---".to_owned() } else { "---:".to_owned() })
        .collect();
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    format!("{}\n\n{}{}{rows}", table.caption, line(&table.header), line(&rule))
}
