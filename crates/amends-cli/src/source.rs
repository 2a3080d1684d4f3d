//! The table behind a command: loaded, encoded and split, with its models and applicants.

use std::path::Path;

use amends::data::{Dataset, HelocCodes, Schema, Table};
use amends::explain::{ExplainSettings, Explainer, Wishes};
use amends::import::{ImportSettings, Loaded, load_model};
use amends::model::{Model, ModelKind, Origin, Split, TrainSettings, holdout};
use amends::{InputError, Result};

use crate::applicant_file::ApplicantFile;
use crate::applicants::Applicants;
use crate::args::{ApplicantArgs, Codes, DataArgs, KnownData, TableArgs, WishArgs};
use crate::table_file::read_table;

/// Applicants to explain where the user names none.
const DEFAULT_REJECTED: usize = 3;

/// What to do where the held-out rows are asked for and there are none.
pub const NAME_SOMEBODY: &str =
    "name applicants with --applicants or --row, or give a share above 0";

/// A table, split.
pub struct Source {
    /// The table's file, or the data set's name.
    pub name: String,
    pub dataset: Dataset,
    pub split: Split,
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
        let (dataset, table) = load_dataset(named)?;
        let file = named.data.as_ref().map(|path| path.display().to_string());
        let name = file.unwrap_or_else(|| dataset.schema.name.clone());
        let heloc = (named.dataset == Some(KnownData::Heloc)).then(|| heloc_codes(named));
        Ok((Self { heloc, ..Self::new(dataset, &name, args.test_share, args.seed)? }, table))
    }

    pub fn new(dataset: Dataset, name: &str, test_share: f64, seed: u64) -> Result<Self> {
        if !(0.0..1.0).contains(&test_share) {
            return Err(InputError::new("must be at least 0 and less than 1")
                .at("--test-share")
                .value(test_share)
                .remedy("give a number such as 0.25, or 0 to keep all rows")
                .into());
        }
        let split = holdout(dataset.len(), test_share, seed);
        let source = Self { name: name.to_owned(), dataset, split, heloc: None };
        source.check_training_rows()?;
        Ok(source)
    }

    /// Small tables may leave one outcome, or nothing, to learn from.
    fn check_training_rows(&self) -> Result<()> {
        let train = &self.split.train;
        let good = train.iter().filter(|&&row| self.dataset.favourable[row]).count();
        if good > 0 && good < train.len() {
            return Ok(());
        }
        let target = &self.dataset.schema.target;
        let missing = if good == 0 { &target.favourable } else { &target.unfavourable };
        Err(InputError::new(format!(
            "none of the {} rows that are left to train on has the outcome `{missing}`",
            train.len()
        ))
        .file(&self.name)
        .column(&target.column)
        .remedy("add rows, hold out fewer with --test-share, or draw others with --seed")
        .into())
    }

    /// Fits distances, densities and ranges on the training rows.
    pub fn explainer(&self, model: &Model, costs: &ExplainSettings) -> Result<Explainer> {
        let fitted = Explainer::fit(&self.dataset.part(&self.split.train), model, costs);
        fitted.map_err(|error| error.in_file(format!("{} (training rows)", self.name)))
    }

    /// Trains a model on the training rows and measures it on the others.
    pub fn train(&self, kind: ModelKind, settings: &TrainSettings) -> Result<Model> {
        self.dataset.check_features_vary().map_err(|error| error.file(&self.name))?;
        let mut model = Model::fit(&self.dataset.part(&self.split.train), kind, settings)
            .map_err(|error| error.in_file(&self.name))?;
        let held_out = &self.split.test;
        model.quality = (!held_out.is_empty()).then(|| model.measure(&self.dataset.part(held_out)));
        Ok(model)
    }

    /// Refuses to go on where no rows are held out, for what is asked of those.
    pub fn check_held_out(&self, remedy: &str) -> Result<()> {
        if !self.split.test.is_empty() {
            return Ok(());
        }
        Err(InputError::new("holds out nobody").at("--test-share").value(0).remedy(remedy).into())
    }

    /// A model file, whoever wrote it, or a model trained now.
    pub fn model(
        &self,
        name: &str,
        settings: &TrainSettings,
        imports: &ImportSettings,
    ) -> Result<Model> {
        if let Ok(kind) = name.parse::<ModelKind>() {
            return self.train(kind, settings);
        }
        if !Path::new(name).exists() {
            return Err(InputError::new("is neither a kind of model nor a file")
                .at("--model")
                .value(name)
                .remedy(
                    "use lr, svm, rf or gb, or the path of a file that `amends train`, XGBoost or LightGBM wrote",
                )
                .into());
        }
        let Loaded { model, notes } = load_model(name, &self.dataset.schema, imports)?;
        for note in notes {
            eprintln!("note: {name}: {note}");
        }
        if matches!(model.origin, Origin::Imported { .. }) {
            self.doubt(name, &model);
        }
        Ok(model)
    }

    /// A model that is mostly wrong may have been read the wrong way round, or on other columns.
    fn doubt(&self, name: &str, model: &Model) {
        let accuracy = model.measure(&self.dataset).accuracy;
        if accuracy < 0.5 {
            eprintln!(
                "note: {name}: only {:.0} % of its decisions agree with the table's outcomes; if that \
                 is a surprise, check --class-one, and that its columns mean what the schema's do",
                100.0 * accuracy
            );
        }
    }

    /// How HELOC's codes were read, where it is HELOC.
    pub fn heloc_codes(&self) -> Option<HelocCodes> {
        self.heloc
    }

    /// The applicants that the user asked for.
    pub fn applicants<'a>(
        &'a self,
        args: &ApplicantArgs,
        explainer: &Explainer,
        asked: &'a WishArgs,
        strict: bool,
    ) -> Result<Applicants<'a>> {
        if let Some(path) = &args.applicants {
            return ApplicantFile::open(path, self, asked, strict)
                .map(|file| Applicants::File(Box::new(file)));
        }
        let places = if args.row.is_empty() {
            self.check_held_out(NAME_SOMEBODY)?;
            self.rejected(explainer, args.rejected.unwrap_or(DEFAULT_REJECTED))
        } else {
            args.row.iter().map(|&row| self.place(row)).collect::<Result<_>>()?
        };
        Ok(self.people(places, common_wishes(asked, &self.dataset.schema)?))
    }

    /// The people in these places of the data set.
    pub fn people(&self, places: Vec<usize>, wishes: Wishes) -> Applicants<'_> {
        Applicants::Rows { source: self, places, wishes }
    }

    /// Where a row of the table stands in the data set.
    pub fn place(&self, row: usize) -> Result<usize> {
        let numbers = &self.dataset.row_numbers;
        if let Ok(place) = numbers.binary_search(&row) {
            return Ok(place);
        }
        let last = numbers.last().copied().unwrap_or_default();
        let (problem, remedy) = if (1..last).contains(&row) {
            (
                "was left out for its special codes",
                "choose another row, or see --heloc-codes".into(),
            )
        } else {
            ("is no row of the table", format!("rows are counted from 1 to {last}"))
        };
        Err(InputError::new(problem).file(&self.name).at("--row").value(row).remedy(remedy).into())
    }

    /// The places of the first rejected applicants of the held-out rows, in the table's order.
    pub fn rejected(&self, explainer: &Explainer, count: usize) -> Vec<usize> {
        self.rejected_of(&self.split.test, explainer).take(count).collect()
    }

    /// As [`Source::rejected`], going on with training rows where too few are held out.
    pub fn rejected_anywhere(&self, explainer: &Explainer, count: usize) -> Vec<usize> {
        let held_out = self.rejected_of(&self.split.test, explainer);
        held_out.chain(self.rejected_of(&self.split.train, explainer)).take(count).collect()
    }

    fn rejected_of<'a>(
        &'a self,
        rows: &[usize],
        explainer: &'a Explainer,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let records = &self.dataset.records;
        in_order(rows).into_iter().filter(move |&place| !explainer.accepts(&records[place]))
    }
}

/// Places in the table's order.
pub fn in_order(places: &[usize]) -> Vec<usize> {
    let mut places = places.to_vec();
    places.sort_unstable();
    places
}

/// What the command line wishes for everybody.
pub fn common_wishes(asked: &WishArgs, schema: &Schema) -> Result<Wishes> {
    let parsed = Wishes::parse(asked.rules.iter().map(String::as_str), schema);
    Ok(parsed.map_err(|error| error.file("--rule"))?)
}

fn heloc_codes(args: &TableArgs) -> HelocCodes {
    match args.heloc_codes {
        Some(Codes::Drop) => HelocCodes::Drop,
        Some(Codes::State) => HelocCodes::State,
        Some(Codes::Zero) | None => HelocCodes::Zero,
    }
}

/// The table as it is, without a split: as the schema reads it, and raw.
pub fn load_dataset(args: &TableArgs) -> Result<(Dataset, Table)> {
    let missing = |what: &str, remedy: &str| Err(InputError::new(what).remedy(remedy).into());
    match (args.dataset, &args.data, &args.schema) {
        (None | Some(KnownData::German), None, None) => {
            let german = Dataset::german();
            let table = german.to_table();
            Ok((german, table))
        }
        (Some(KnownData::Heloc), Some(path), None) => {
            let table = read_table(path, None)?;
            let dataset = Dataset::heloc_from_table(table.clone(), heloc_codes(args))?;
            if args.heloc_codes.is_none() {
                // -7 means "never delinquent": as 0 it says the opposite. Nobody should get that
                // without having been told.
                eprintln!(
                    "note: HELOC's codes -7, -8 and -9 are read as 0, as DACE did; \
                     choose with --heloc-codes zero, drop or state"
                );
            }
            Ok((dataset, table))
        }
        (Some(KnownData::Heloc), None, _) => missing(
            "--dataset heloc needs FICO's file, which may not be passed on with this program",
            "give your own copy with --data FILE",
        ),
        (None, Some(path), Some(schema)) => {
            let schema = Schema::read(schema)?;
            let table = read_table(path, Some(&schema))?;
            Ok((Dataset::from_table(&table, &schema)?, table))
        }
        (None, Some(path), None) => missing(
            &format!("{} has no schema", path.display()),
            "write one with `amends init`, edit it, and give it with --schema FILE",
        ),
        (None, None, Some(_)) => missing("--schema needs a table", "give it with --data FILE"),
        (Some(_), _, _) => missing(
            "--dataset names a table and a schema of its own",
            "leave out --dataset, or leave out --schema (and --data for german)",
        ),
    }
}
