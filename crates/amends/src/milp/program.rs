//! A mixed-integer linear program as data, independent of any solver.

/// Minimise the columns' costs plus `offset`, subject to the rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Program {
    /// The variables.
    pub columns: Vec<ProgramColumn>,
    /// The constraints.
    pub rows: Vec<Row>,
    /// Added to the objective.
    pub offset: f64,
}

/// A variable.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramColumn {
    /// A name without spaces, unique in the program.
    pub name: String,
    /// The least value, possibly negative infinity.
    pub lower: f64,
    /// The greatest value, possibly infinity.
    pub upper: f64,
    /// Whether only whole numbers are allowed.
    pub integer: bool,
    /// Its coefficient in the objective.
    pub cost: f64,
}

/// A constraint `lower <= sum of terms <= upper`; an infinite side is absent, equal sides are an equation.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// A name without spaces, unique in the program.
    pub name: String,
    /// The least value, possibly negative infinity.
    pub lower: f64,
    /// The greatest value, possibly infinity.
    pub upper: f64,
    /// Column index and coefficient; every column at most once, no zero coefficients.
    pub terms: Vec<(usize, f64)>,
}

impl Program {
    /// Adds a variable and returns its index.
    pub fn add_column(&mut self, column: ProgramColumn) -> usize {
        self.columns.push(column);
        self.columns.len() - 1
    }

    /// Adds a 0-1 variable without a cost and returns its index.
    pub fn add_binary(&mut self, name: String) -> usize {
        self.add_column(ProgramColumn { name, lower: 0.0, upper: 1.0, integer: true, cost: 0.0 })
    }

    /// Adds a constraint; terms of the same column are added up, zero coefficients dropped.
    pub fn add_row(
        &mut self,
        name: String,
        lower: f64,
        upper: f64,
        terms: impl IntoIterator<Item = (usize, f64)>,
    ) {
        let mut terms: Vec<(usize, f64)> = terms.into_iter().collect();
        terms.sort_by_key(|&(column, _)| column);
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        terms.retain(|&(_, coefficient)| coefficient != 0.0);
        self.rows.push(Row { name, lower, upper, terms });
    }

    /// The number of non-zero coefficients.
    pub fn nonzeros(&self) -> usize {
        self.rows.iter().map(|row| row.terms.len()).sum()
    }

    /// The objective at a point.
    pub fn objective(&self, values: &[f64]) -> f64 {
        self.offset
            + self
                .columns
                .iter()
                .zip(values)
                .map(|(column, value)| column.cost * value)
                .sum::<f64>()
    }
}
