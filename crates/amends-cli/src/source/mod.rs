//! The table behind a command: which one it is ([`load_dataset`]), the model that decides on it (`model.rs`) and the
//! applicants that are asked about (`applicants.rs`).

mod applicants;
mod load;
mod model;

use amends::Result;
use amends::data::{HelocCodes, Table};
use amends_run::SplitTable;

use crate::args::{DataArgs, KnownData};

pub use applicants::{check_held_out, common_wishes};
pub use load::load_dataset;

/// A table as the command line names it, split.
pub struct Source {
    pub table: SplitTable,
    /// How HELOC's codes were read, where it is HELOC.
    heloc: Option<HelocCodes>,
}

impl Source {
    pub fn load(args: &DataArgs) -> Result<Self> {
        Self::load_with_table(args).map(|(source, _)| source)
    }

    /// With the raw table, which may have columns that the schema does not name; its rows are all of the file's.
    pub fn load_with_table(args: &DataArgs) -> Result<(Self, Table)> {
        let named = &args.table;
        let (dataset, raw) = load_dataset(named)?;
        let file = named.data.as_ref().map(|path| path.display().to_string());
        let name = file.unwrap_or_else(|| dataset.schema.name.clone());
        let heloc = (named.dataset == Some(KnownData::Heloc)).then(|| load::heloc_codes(named));
        let table = SplitTable::new(dataset, &name, args.test_share, args.seed)?;
        Ok((Self { table, heloc }, raw))
    }

    /// How HELOC's codes were read, where it is HELOC.
    pub fn heloc_codes(&self) -> Option<HelocCodes> {
        self.heloc
    }
}
