//! The report as one HTML page that needs nothing from elsewhere.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::document::{Block, Document, Figure, Table};

const STYLE: &str = include_str!("report.css");

pub fn html(document: &Document) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (document.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header { h1 { (document.title) } }
                nav aria-label="Contents" {
                    h2 { "Contents" }
                    ol {
                        @for section in &document.sections {
                            li { a href={ "#" (section.id) } { (section.title) } }
                        }
                    }
                }
                main {
                    @for section in &document.sections {
                        section id=(section.id) {
                            h2 { (section.title) }
                            @for block in &section.blocks { (self::block(block)) }
                        }
                    }
                }
            }
        }
    }
    .into_string()
}

fn block(block: &Block) -> Markup {
    match block {
        Block::Text(text) => html! { p { (text) } },
        Block::Warning(text) => html! { p.warning role="note" { (text) } },
        Block::Table(table) => self::table(table),
        Block::Figures(figures) => html! {
            div.figures { @for figure in figures { (self::figure(figure)) } }
        },
    }
}

fn table(table: &Table) -> Markup {
    let class = |column: usize| if column < table.words { "word" } else { "number" };
    html! {
        // Above the part that scrolls, so that it can be read whole on a small screen.
        p.caption { (table.caption) }
        // Wide tables scroll on small screens; the keyboard must reach them.
        div.scroll tabindex="0" role="region" aria-label=(table.caption) {
            table class=[(table.words == table.header.len()).then_some("facts")] {
                thead {
                    tr {
                        @for (column, cell) in table.header.iter().enumerate() {
                            th scope="col" class=(class(column)) { (cell) }
                        }
                    }
                }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                td class=(class(column)) { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn figure(figure: &Figure) -> Markup {
    html! {
        figure {
            (PreEscaped(&figure.svg))
            figcaption { (figure.caption) }
        }
    }
}
