//! A table as they come: `init` guesses how it is written, and every later command reads it without an edit.

use std::fmt::Write as _;

use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use amends::data::{CellFormat, Change, DateUnit, Feature, Kind, Schema};

use crate::support::Folder;

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn one_of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

/// A whole number with separators between groups of three digits.
fn grouped(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}

const HEADER: [&str; 26] = [
    "row",
    "reference",
    "e-mail",
    "Nettoeinkommen",
    "loan_amnt",
    "int_rate",
    "debt_ratio",
    "rent",
    "balance_change",
    "purpose",
    "birth_date",
    "applied_on",
    "first_credit",
    "opened",
    "employment_length",
    "savings",
    "education",
    "h\u{f6}he_sicherheit",
    "region_code",
    "sex",
    "months_since_late",
    "score",
    "branch_name",
    "PLZ",
    "comment",
    "outcome",
];

const ROWS: usize = 320;

/// Made-up applications; income and time in the job speak for an applicant, debts against.
#[expect(clippy::too_many_lines, reason = "a table column by column")]
fn rows() -> Vec<Vec<String>> {
    let mut dice = Dice(7);
    let lengths = ["< 1 year", "1-3 years", "3-7 years", ">= 7 years"];
    (0..ROWS)
        .map(|row| {
            let income = 900 + dice.below(4200);
            let debt = dice.below(90);
            let employed = dice.below(4);
            let late = dice.below(10);
            let standing =
                income as i64 - 20 * debt as i64 + 250 * employed as i64 - 60 * late as i64;
            let paid = (standing > 1900) != (dice.below(12) == 0);
            let day = |dice: &mut Dice| (1 + dice.below(28), 1 + dice.below(12));
            let (birth, applied, opened) = (day(&mut dice), day(&mut dice), day(&mut dice));
            let month = dice.one_of(&["Jan", "Mar", "May", "Jul", "Oct", "Dec"]);
            let missing = dice.below(15) == 0;
            vec![
                (row + 1).to_string(),
                format!("{:04}-{}", 7919 * row % 9973, dice.one_of(&["A", "B"])),
                format!("person{row}@example.org"),
                if missing {
                    dice.one_of(&["", "k.A.", "n/a", "NULL"]).to_owned()
                } else {
                    format!("{},{:02} \u{20ac}", grouped(income, "."), dice.below(100))
                },
                format!("${}.{:02}", grouped(500 + dice.below(19_500), ","), dice.below(100)),
                format!("{}.{} %", 2 + dice.below(12), dice.below(10)),
                format!("0,{debt:02}"),
                grouped(200 + dice.below(1900), "'"),
                match dice.below(1500) {
                    change if dice.below(3) == 0 => format!("({})", grouped(change + 1, ",")),
                    change => grouped(change, ","),
                },
                dice.one_of(&["car", "M\u{f6}bel", "holiday", "other"]).to_owned(),
                format!("{:02}.{:02}.{}", birth.0, birth.1, 1950 + dice.below(55)),
                format!("2024-{:02}-{:02}", applied.1, applied.0),
                format!("{month}-{}", 1990 + dice.below(30)),
                format!("{:02}/{:02}/{}", opened.1, opened.0, 2005 + dice.below(18)),
                lengths[employed as usize].to_owned(),
                if dice.below(20) == 0 {
                    "?".to_owned()
                } else {
                    dice.one_of(&["none", "low", "medium", "high"]).to_owned()
                },
                dice.one_of(&["High School", "Bachelor", "Master", "PhD"]).to_owned(),
                dice.one_of(&["klein", "mittel", "gro\u{df}"]).to_owned(),
                (11 + dice.below(6)).to_string(),
                (1 + dice.below(2)).to_string(),
                match late {
                    0..=3 => "-9".to_owned(),
                    late => (late * 5 + dice.below(5)).to_string(),
                },
                if dice.below(40) == 0 {
                    "999999".to_owned()
                } else {
                    (300 + dice.below(500)).to_string()
                },
                "main".to_owned(),
                format!("0{}", 1067 + 2 * dice.below(9)),
                format!("note {row}, {}", dice.one_of(&["called", "wrote"])),
                if paid { "paid" } else { "lost" }.to_owned(),
            ]
        })
        .collect()
}

/// The table with this separator.
fn table(rows: &[Vec<String>], separator: char) -> String {
    let mut text = String::new();
    let cell = |cell: &str| {
        if cell.contains([separator, '"']) { format!("\"{cell}\"") } else { cell.to_owned() }
    };
    let header: Vec<String> = HEADER.map(str::to_owned).to_vec();
    for row in std::iter::once(&header).chain(rows) {
        let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
        let _ = writeln!(text, "{}", cells.join(&separator.to_string()));
    }
    text
}

fn windows_1252(text: &str) -> Vec<u8> {
    let byte = |c: char| if c == '\u{20ac}' { 0x80 } else { u8::try_from(c).unwrap() };
    text.chars().map(byte).collect()
}

fn utf_16(text: &str) -> Vec<u8> {
    "\u{feff}"
        .chars()
        .chain(text.chars())
        .collect::<String>()
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect()
}

const INIT: [&str; 6] = ["init", "messy.csv", "--target", "outcome", "-o", "messy.toml"];

fn initialised(contents: &[u8]) -> (Folder, Schema, String) {
    let folder = Folder::new().with("messy.csv", contents);
    let run = folder.answers(&INIT);
    assert_eq!(run.out, "");
    let schema = Schema::parse(&folder.read("messy.toml"), "messy.toml").unwrap();
    (folder, schema, run.err)
}

fn number(feature: &Feature) -> (char, Option<char>, Vec<&str>) {
    match &feature.format {
        CellFormat::Number(format) => {
            let signs = format.signs.iter().map(String::as_str).collect();
            (format.decimal, format.thousands, signs)
        }
        CellFormat::Date(date) => panic!("{date:?}"),
    }
}

fn date(feature: &Feature) -> (&str, &str, DateUnit) {
    match &feature.format {
        CellFormat::Date(date) => (&date.pattern, &date.reference, date.unit),
        CellFormat::Number(format) => panic!("{format:?}"),
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table column by column")]
fn every_column_of_a_messy_table_is_understood_and_shown() {
    let rows = rows();
    let (_, schema, shown) = initialised(table(&rows, ',').as_bytes());
    let feature = |name: &str| &schema.features[schema.feature_index(name).unwrap()];
    let levels = |name: &str| feature(name).levels().join(" < ");

    assert_eq!(number(feature("Nettoeinkommen")), (',', Some('.'), vec!["\u{20ac}"]));
    assert_eq!(number(feature("loan_amnt")), ('.', Some(','), vec!["$"]));
    assert_eq!(number(feature("int_rate")), ('.', None, vec!["%"]));
    assert_eq!(number(feature("debt_ratio")), (',', None, vec![]));
    assert_eq!(number(feature("rent")).1, Some('\''));
    assert_eq!(number(feature("balance_change")), ('.', Some(','), vec![]));
    // The last date of the table that does not lie ahead.
    let last = rows.iter().map(|row| row[11].clone()).max().unwrap();
    assert_eq!(date(feature("birth_date")), ("%d.%m.%Y", last.as_str(), DateUnit::Years));
    assert_eq!(date(feature("applied_on")), ("%Y-%m-%d", last.as_str(), DateUnit::Days));
    assert_eq!(date(feature("first_credit")), ("%b-%Y", last.as_str(), DateUnit::Months));
    assert_eq!(date(feature("opened")).0, "%m/%d/%Y");
    assert_eq!(levels("employment_length"), "< 1 year < 1-3 years < 3-7 years < >= 7 years");
    assert_eq!(levels("savings"), "none < low < medium < high");
    assert_eq!(levels("education"), "High School < Bachelor < Master < PhD");
    assert_eq!(levels("h\u{f6}he_sicherheit"), "klein < mittel < gro\u{df}");
    assert!(matches!(feature("education").kind, Kind::Ordinal { .. }));
    assert!(matches!(feature("region_code").kind, Kind::Categorical { .. }));
    assert!(matches!(feature("PLZ").kind, Kind::Categorical { .. }));
    assert!(matches!(feature("sex").kind, Kind::Binary { .. }));
    let codes = |name: &str| {
        feature(name).codes.iter().flat_map(amends::data::Code::texts).cloned().collect::<Vec<_>>()
    };
    let mut missing = codes("Nettoeinkommen");
    missing.sort();
    assert_eq!(missing, ["", "NULL", "k.A.", "n/a"]);
    assert_eq!(codes("savings"), ["?"]);
    assert_eq!(codes("months_since_late"), ["-9"]);
    assert_eq!(codes("score"), ["999999"]);
    let directions = [
        (Change::Increase, &["Nettoeinkommen", "employment_length", "savings", "education"][..]),
        (Change::Decrease, &["loan_amnt", "debt_ratio"]),
        (
            Change::Immutable,
            &[
                "int_rate",
                "purpose",
                "birth_date",
                "applied_on",
                "first_credit",
                "opened",
                "region_code",
                "sex",
                "months_since_late",
                "score",
                "PLZ",
            ],
        ),
    ];
    for (change, expected) in directions {
        let features = schema.features.iter().filter(|feature| feature.change == change);
        assert_eq!(features.map(|feature| feature.name.as_str()).collect::<Vec<_>>(), expected);
    }
    for name in HEADER.iter().filter(|name| **name != "outcome") {
        assert!(shown.contains(name), "{name} is not in\n{shown}");
    }
    for part in
        ["it counts the rows", "e-mail addresses", "every row says `main`", "its name says `amnt`"]
    {
        assert!(shown.contains(part), "{part} is not in\n{shown}");
    }
}

#[test]
fn encodings_and_separators_change_nothing() {
    let rows = rows();
    let (_, expected, _) = initialised(table(&rows, ',').as_bytes());
    for (contents, name) in [
        (windows_1252(&table(&rows, ';')), "Windows-1252"),
        (utf_16(&table(&rows, '\t')), "UTF-16"),
    ] {
        let (folder, schema, shown) = initialised(&contents);
        assert_eq!(schema, expected, "{name}");
        assert!(shown.contains(&format!("messy.csv (read as {name}): 320 rows")), "{shown}");
        let on = ["explain", "--data", "messy.csv", "--schema", "messy.toml", "--model", "lr"];
        let run = folder.answers(&[&on[..], &["--rejected", "1", "--time-limit", "5"]].concat());
        assert!(run.out.contains("rejected (score"), "{}", run.out);
    }
}

#[test]
fn the_guess_is_trained_on_and_explains_applicants_unedited() {
    let rows = rows();
    let (folder, schema, _) = initialised(&windows_1252(&table(&rows, ';')));
    let on = ["--data", "messy.csv", "--schema", "messy.toml"];
    folder.answers(&[&["train"], &on[..], &["--model", "lr", "-o", "model.json"]].concat());
    let people: Vec<Vec<String>> =
        rows.iter().filter(|row| row[25] == "lost").take(6).cloned().collect();
    let folder = folder.with("people.csv", utf_16(&table(&people, '\t')));
    let applicants = ["--model", "model.json", "--applicants", "people.csv", "--format", "json"];
    let run =
        folder.answers(&[&["explain"], &on[..], &applicants, &["--time-limit", "5"]].concat());
    let answers = run.json();
    assert_eq!(answers.len(), 6);
    let mut changes = 0;
    for answer in &answers {
        assert_ne!(answer["status"], "error", "{answer}");
        for change in answer["changes"].as_array().into_iter().flatten() {
            let feature = &schema.features
                [schema.feature_index(change["feature"].as_str().unwrap()).unwrap()];
            assert_ne!(feature.change, Change::Immutable, "{answer}");
            changes += 1;
        }
    }
    assert!(changes > 0, "{answers:?}");
}

#[test]
fn without_a_file_the_schema_is_printed_and_the_table_of_columns_beside_it() {
    let folder = Folder::new().with("messy.csv", table(&rows(), ','));
    for output in [&[][..], &["-o", "-"]] {
        let run = folder.answers(&[&["init", "messy.csv", "--target", "outcome"], output].concat());
        assert!(Schema::parse(&run.out, "out").is_ok());
        assert!(run.err.contains("| Nettoeinkommen"), "{}", run.err);
        assert!(run.err.contains("amends init messy.csv --target outcome --output messy.toml"));
    }
}

/// A Parquet file with numbers, texts, dates and timestamps.
fn parquet(path: &std::path::Path) {
    let schema = "message t { required double income; required int32 opened (DATE); required int64 asked (TIMESTAMP(MICROS,true)); \
                  optional binary housing (UTF8); required boolean paid; }";
    let schema = std::sync::Arc::new(parse_message_type(schema).unwrap());
    let file = std::fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, std::sync::Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let rows = 0..40_i32;
    let mut column = 0;
    while let Some(mut next) = group.next_column().unwrap() {
        match next.untyped() {
            ColumnWriter::DoubleColumnWriter(writer) => {
                let incomes: Vec<f64> =
                    rows.clone().map(|row| f64::from(row * 37 % 41) / 2.0).collect();
                writer.write_batch(&incomes, None, None)
            }
            ColumnWriter::Int32ColumnWriter(writer) => {
                let days: Vec<i32> = rows.clone().map(|row| 15_000 + row * 97 % 3000).collect();
                writer.write_batch(&days, None, None)
            }
            ColumnWriter::Int64ColumnWriter(writer) => writer.write_batch(&[0; 40], None, None),
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                let levels: Vec<i16> = rows.clone().map(|row| i16::from(row % 5 != 0)).collect();
                let texts = rows.clone().filter(|row| row % 5 != 0);
                let texts: Vec<ByteArray> =
                    texts.map(|row| ["own", "rent", "free"][row as usize % 3].into()).collect();
                writer.write_batch(&texts, Some(&levels), None)
            }
            ColumnWriter::BoolColumnWriter(writer) => {
                let paid: Vec<bool> = rows.clone().map(|row| row * 37 % 41 > 18).collect();
                writer.write_batch(&paid, None, None)
            }
            _ => unreachable!("no such column"),
        }
        .unwrap();
        next.close().unwrap();
        column += 1;
    }
    assert_eq!(column, 5);
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn parquet_files_are_guessed_and_read_as_csv_files_are() {
    let folder = Folder::new();
    parquet(&folder.path().join("t.parquet"));
    let run = folder.answers(&["init", "t.parquet", "--target", "paid", "-o", "t.toml"]);
    for part in
        ["dates %Y-%m-%d, as months before 20", "8 missing (empty)", "it is of type timestamp"]
    {
        assert!(run.err.contains(part), "{part} is not in\n{}", run.err);
    }
    let on = ["explain", "--data", "t.parquet", "--schema", "t.toml", "--model", "lr"];
    let run =
        folder.answers(&[&on[..], &["--applicants", "t.parquet", "--format", "json"]].concat());
    assert!(run.json().iter().all(|answer| answer["status"] != "error"), "{}", run.out);
}
