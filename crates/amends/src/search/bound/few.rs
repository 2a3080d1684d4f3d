//! Sums of the few largest: what undecided features add where only some of them may change.

/// The sum of the few largest gains, negative ones left out.
#[derive(Default)]
pub(in crate::search) struct Few {
    largest: Vec<f64>,
    room: usize,
    /// The largest gain that found no room; 0 where all did.
    pub outside: f64,
}

impl Few {
    pub(in crate::search) fn begin(&mut self, room: usize) {
        self.largest.clear();
        self.room = room;
        self.outside = 0.0;
    }

    pub(in crate::search) fn offer(&mut self, gain: f64) {
        if gain <= 0.0 {
            return;
        }
        let at = self.largest.partition_point(|&other| other >= gain);
        self.largest.insert(at, gain);
        if self.largest.len() > self.room
            && let Some(least) = self.largest.pop()
        {
            self.outside = self.outside.max(least);
        }
    }

    pub(in crate::search) fn sum(&self) -> f64 {
        self.largest.iter().sum()
    }

    /// The least gain that found room; 0 where more would.
    pub(in crate::search) fn edge(&self) -> f64 {
        if self.largest.len() < self.room {
            0.0
        } else {
            self.largest.last().copied().unwrap_or(0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn only_the_few_largest_gains_count() {
        let mut few = Few::default();
        few.begin(2);
        for gain in [0.5, -1.0, 3.0, 2.0, 1.0] {
            few.offer(gain);
        }
        assert_eq!((few.sum(), few.edge(), few.outside), (5.0, 2.0, 1.0));
        few.begin(0);
        few.offer(1.0);
        assert_eq!(few.sum(), 0.0);
    }
}
