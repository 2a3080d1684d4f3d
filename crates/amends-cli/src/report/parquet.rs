//! Rows as a Parquet file: row groups of some thousand rows, compressed with Snappy, every column optional.

use std::io::Write;
use std::sync::Arc;

use amends::InputError;
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use amends_report::{Column, ColumnKind};

/// Rows that are held back until they are written together: a Parquet file is columns within groups of rows.
const GROUP: usize = 8192;

/// An open Parquet file.
pub struct ParquetRows<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<(Column, Values)>,
    rows: usize,
}

/// The values of a column in the open group, without missing ones; and per row whether there is one.
struct Values {
    present: Vec<i16>,
    cells: Cells,
}

enum Cells {
    Whole(Vec<i64>),
    Number(Vec<f64>),
    Text(Vec<ByteArray>),
    Flag(Vec<bool>),
}

impl<W: Write + Send> ParquetRows<W> {
    pub fn new(columns: Vec<Column>, output: W) -> anyhow::Result<Self> {
        let fields = columns.iter().map(field).collect::<anyhow::Result<Vec<_>>>()?;
        let schema = Type::group_type_builder("rows").with_fields(fields).build()?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties))?;
        let empty = |column: Column| {
            let values = Values::new(column.kind);
            (column, values)
        };
        Ok(Self { writer, columns: columns.into_iter().map(empty).collect(), rows: 0 })
    }

    /// Adds a row: a cell per column.
    pub fn write(&mut self, cells: &[String]) -> anyhow::Result<()> {
        for ((column, values), cell) in self.columns.iter_mut().zip(cells) {
            if !values.push(cell) {
                return Err(InputError::new("does not fit into a column of 64-bit integers")
                    .column(&column.name)
                    .value(cell)
                    .remedy("write CSV instead, or make the feature continuous in the schema")
                    .into());
            }
        }
        self.rows += 1;
        if self.rows == GROUP { self.write_group() } else { Ok(()) }
    }

    /// Ends the file.
    pub fn finish(mut self) -> anyhow::Result<W> {
        self.write_group()?;
        Ok(self.writer.into_inner()?)
    }

    fn write_group(&mut self) -> anyhow::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for (column, values) in &mut self.columns {
            let Some(mut writer) = group.next_column()? else { break };
            let full = std::mem::replace(values, Values::new(column.kind));
            let present = Some(full.present.as_slice());
            match (full.cells, writer.untyped()) {
                (Cells::Whole(cells), ColumnWriter::Int64ColumnWriter(writer)) => {
                    writer.write_batch(&cells, present, None)?;
                }
                (Cells::Number(cells), ColumnWriter::DoubleColumnWriter(writer)) => {
                    writer.write_batch(&cells, present, None)?;
                }
                (Cells::Text(cells), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                    writer.write_batch(&cells, present, None)?;
                }
                (Cells::Flag(cells), ColumnWriter::BoolColumnWriter(writer)) => {
                    writer.write_batch(&cells, present, None)?;
                }
                _ => unreachable!("columns are written in the order of the schema"),
            }
            writer.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

impl Values {
    fn new(kind: ColumnKind) -> Self {
        let cells = match kind {
            ColumnKind::Whole => Cells::Whole(Vec::new()),
            ColumnKind::Number => Cells::Number(Vec::new()),
            ColumnKind::Text => Cells::Text(Vec::new()),
            ColumnKind::Flag => Cells::Flag(Vec::new()),
        };
        Self { present: Vec::new(), cells }
    }

    /// Adds a cell; false where it is not a value of the column.
    fn push(&mut self, cell: &str) -> bool {
        self.present.push(i16::from(!cell.is_empty()));
        if cell.is_empty() {
            return true;
        }
        match &mut self.cells {
            Cells::Whole(cells) => cell.parse().map(|value| cells.push(value)).is_ok(),
            Cells::Number(cells) => cell.parse().map(|value| cells.push(value)).is_ok(),
            Cells::Text(cells) => {
                cells.push(cell.into());
                true
            }
            Cells::Flag(cells) => cell.parse().map(|value| cells.push(value)).is_ok(),
        }
    }
}

fn field(column: &Column) -> anyhow::Result<Arc<Type>> {
    let (kind, logical) = match column.kind {
        ColumnKind::Whole => (PhysicalType::INT64, None),
        ColumnKind::Number => (PhysicalType::DOUBLE, None),
        ColumnKind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnKind::Flag => (PhysicalType::BOOLEAN, None),
    };
    let field = Type::primitive_type_builder(&column.name, kind)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()?;
    Ok(Arc::new(field))
}
