//! The report independently of its format: HTML and Markdown are two ways to write the same document.

/// The whole report.
pub struct Document {
    pub title: String,
    pub sections: Vec<Section>,
}

/// A part with a heading of its own.
pub struct Section {
    /// The anchor.
    pub id: &'static str,
    pub title: String,
    pub blocks: Vec<Block>,
}

pub enum Block {
    Text(String),
    /// Something that the reader must not miss.
    Warning(String),
    Table(Table),
    Figures(Vec<Figure>),
}

pub struct Table {
    pub caption: String,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// How many columns at the left are words; the others are numbers.
    pub words: usize,
}

pub struct Figure {
    /// The file's name without its ending.
    pub name: String,
    pub caption: String,
    /// The picture, as SVG.
    pub svg: String,
}

impl Document {
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.flat_map(|block| match block {
            Block::Figures(figures) => figures.as_slice(),
            _ => &[],
        })
    }
}

impl Table {
    pub fn new(caption: impl Into<String>, words: usize, header: &[&str]) -> Self {
        let header = header.iter().map(|&cell| cell.to_owned()).collect();
        Self { caption: caption.into(), header, rows: Vec::new(), words }
    }
}
