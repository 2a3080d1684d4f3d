//! Lines over a few positions, drawn by plotters.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

mod axis;
mod colours;

use self::axis::Axis;
use self::colours::{AXIS, GRID, INK, PAPER, line_colour, mark_colour, themed};

const SIZE: (u32, u32) = (640, 420);
const LEGEND_HEIGHT: u32 = 36;
const FONT: &str = "sans-serif";
const FONT_SIZE: u32 = 18;
/// How wide a letter of the legend is taken to be.
const LETTER: i32 = 10;
const MARK: i32 = 5;

/// A picture of lines.
pub struct Plot {
    /// What it shows, for those who can't see it.
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// The positions along x, rising, and what is written below them.
    pub ticks: Vec<(f64, String)>,
    /// Whether y is drawn on a logarithmic scale; then every y is positive.
    pub log_y: bool,
    pub lines: Vec<Line>,
}

/// One line, distinguished from the others by colour, dash and mark.
pub struct Line {
    pub name: String,
    pub style: usize,
    pub points: Vec<Mark>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    pub x: f64,
    pub y: f64,
    /// Hollow marks say that the number is not the whole truth.
    pub hollow: bool,
}

impl Plot {
    /// The picture as SVG; `None` where there is nothing to draw.
    pub fn svg(&self) -> Option<String> {
        let drawn = self.lines.iter().flat_map(|line| &line.points).next()?;
        debug_assert!(drawn.y.is_finite());
        let mut svg = String::new();
        // Writing into a string can't fail, and every coordinate is in range.
        self.draw(&mut svg).ok()?;
        Some(themed(&svg, &self.title))
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&PAPER)?;
        let (legend, area) = root.split_vertically(LEGEND_HEIGHT);
        self.draw_legend(&legend)?;
        let scale = |y: f64| if self.log_y { y.log10() } else { y };
        let (low, high, y_ticks) = self.y_range();
        let x_ticks: Vec<f64> = self.ticks.iter().map(|&(x, _)| x).collect();
        let (left, right) = spread(&x_ticks);
        let tick_count = x_ticks.len();
        let y_count = y_ticks.len();
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .margin_right(24)
            .x_label_area_size(60)
            .y_label_area_size(84)
            .build_cartesian_2d(
                Axis { low: left, high: right, ticks: x_ticks },
                Axis { low, high, ticks: y_ticks },
            )?;
        let text = (FONT, FONT_SIZE).into_font().color(&INK);
        let below = |x: &f64| {
            let tick = self.ticks.iter().find(|(at, _)| (at - x).abs() < 1e-9);
            tick.map_or_else(String::new, |(_, label)| label.clone())
        };
        let beside = |y: &f64| if self.log_y { power(*y) } else { plain(*y) };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(AXIS)
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .axis_desc_style(text.clone())
            .label_style(text)
            .x_labels(tick_count)
            .y_labels(y_count)
            .x_label_formatter(&below)
            .y_label_formatter(&beside)
            .draw()?;
        for line in &self.lines {
            let at = |mark: &Mark| (mark.x, scale(mark.y));
            let stroke = line_colour(line.style).stroke_width(2);
            chart.draw_series(LineSeries::new(line.points.iter().map(at), stroke))?;
            for mark in &line.points {
                for (shape, style) in mark_shapes(line.style, mark.hollow) {
                    let element = EmptyElement::at(at(mark)) + shape_element(shape, style);
                    chart.draw_series([element])?;
                }
            }
        }
        root.present()?;
        Ok(())
    }

    fn draw_legend<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, plotters::coord::Shift>,
    ) -> Result<(), Box<dyn std::error::Error>>
    where
        B::ErrorType: 'static,
    {
        let middle = LEGEND_HEIGHT.cast_signed() / 2 + 2;
        let mut x = 92;
        for line in &self.lines {
            let ends = vec![(x, middle), (x + 34, middle)];
            area.draw(&PathElement::new(ends, line_colour(line.style).stroke_width(2)))?;
            for (shape, style) in mark_shapes(line.style, false) {
                let element = EmptyElement::at((x + 17, middle)) + shape_element(shape, style);
                area.draw(&element)?;
            }
            let left = Pos::new(HPos::Left, VPos::Center);
            let style = (FONT, FONT_SIZE).into_font().color(&INK).pos(left);
            area.draw(&Text::new(line.name.clone(), (x + 42, middle), style))?;
            x += 42 + LETTER * line.name.chars().count() as i32 + 18;
        }
        Ok(())
    }

    /// The range of y as it is drawn, and its ticks.
    fn y_range(&self) -> (f64, f64, Vec<f64>) {
        let values = self.lines.iter().flat_map(|line| &line.points).map(|mark| mark.y);
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        if self.log_y {
            let (low, high) = (low.log10(), high.log10());
            let (bottom, top) = ((low - 0.1).floor(), (high + 0.1).ceil());
            let ticks = (bottom as i32..=top as i32).map(f64::from).collect();
            return (bottom, top, ticks);
        }
        // From 0 on, with four to eight steps of 1, 2 or 5.
        let rough = high.max(1e-9) / 4.0;
        let magnitude = 10f64.powf(rough.log10().floor());
        let step =
            [5.0, 2.0, 1.0].into_iter().find(|step| step * magnitude <= rough).unwrap_or(1.0)
                * magnitude;
        let steps = (1.05 * high.max(1e-9) / step).ceil();
        (0.0, steps * step, (0..=steps as i32).map(|i| f64::from(i) * step).collect())
    }
}

/// A little room on both sides.
fn spread(ticks: &[f64]) -> (f64, f64) {
    let first = ticks.first().copied().unwrap_or(0.0);
    let last = ticks.last().copied().unwrap_or(1.0);
    let room = if last > first { 0.06 * (last - first) } else { 0.5 };
    (first - room, last + room)
}

/// 10 to the power of y, written out.
fn power(y: f64) -> String {
    let value = 10f64.powf(y);
    if y < 0.0 { format!("{value:.*}", -y as usize) } else { format!("{value:.0}") }
}

fn plain(y: f64) -> String {
    let text = format!("{y:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Corners around a mark's middle; a circle has none.
type Corners = &'static [(i32, i32)];

const CORNERS: [Corners; 4] = [
    &[(-MARK, -MARK), (MARK, -MARK), (MARK, MARK), (-MARK, MARK)],
    &[(0, -MARK - 1), (MARK + 1, MARK), (-MARK - 1, MARK)],
    &[(0, -MARK - 2), (MARK + 2, 0), (0, MARK + 2), (-MARK - 2, 0)],
    &[],
];

/// What a mark is made of: filled, or an outline around paper.
fn mark_shapes(style: usize, hollow: bool) -> Vec<(Corners, ShapeStyle)> {
    let corners = CORNERS[style % CORNERS.len()];
    let colour = mark_colour(style);
    if hollow {
        vec![(corners, PAPER.filled()), (corners, colour.stroke_width(2))]
    } else {
        vec![(corners, colour.filled())]
    }
}

fn shape_element<B: DrawingBackend>(
    corners: Corners,
    style: ShapeStyle,
) -> DynElement<'static, B, (i32, i32)>
where
    B::ErrorType: 'static,
{
    if corners.is_empty() {
        Circle::new((0, 0), MARK, style).into_dyn()
    } else if style.filled {
        Polygon::new(corners.to_vec(), style).into_dyn()
    } else {
        let closed = corners.iter().chain(&corners[..1]).copied().collect::<Vec<_>>();
        PathElement::new(closed, style).into_dyn()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(log_y: bool) -> Plot {
        let mark = |x: f64, y: f64, hollow| Mark { x, y, hollow };
        let line = |style: usize, points| Line { name: format!("line {style}"), style, points };
        Plot {
            title: "Seconds & points".into(),
            x_label: "N".into(),
            y_label: "seconds".into(),
            ticks: vec![(1.0, "20".into()), (2.0, "all".into())],
            log_y,
            lines: vec![
                line(0, vec![mark(1.0, 0.02, false), mark(2.0, 60.0, true)]),
                line(1, vec![mark(1.0, 3.0, true)]),
                line(2, vec![mark(1.0, 1.0, false)]),
                line(3, vec![mark(2.0, 0.5, true)]),
            ],
        }
    }

    #[test]
    fn nothing_to_draw_is_no_picture() {
        assert_eq!(Plot { lines: Vec::new(), ..plot(true) }.svg(), None);
    }

    #[test]
    fn a_picture_is_well_formed_and_names_what_it_shows() {
        for log_y in [true, false] {
            let svg = plot(log_y).svg().unwrap();
            assert!(svg.contains("<title>Seconds &amp; points</title>"));
            for word in ["seconds", "line 0", "line 3", "all"] {
                assert!(svg.contains(word), "{word} is missing");
            }
            // One class attribute per element, and no colour that only the program knows.
            for element in svg.split('<') {
                assert!(element.matches("class=").count() <= 1, "{element}");
            }
            assert_eq!(svg.matches("<svg").count(), 1);
            for stand_in in ["01", "02", "03", "04", "05", "06"] {
                assert!(!svg.contains(&format!("\"#{stand_in}00")), "{stand_in} is left");
            }
        }
    }

    #[test]
    fn powers_of_ten_are_written_out() {
        assert_eq!([-2.0, 0.0, 3.0].map(power), ["0.01", "1", "1000"]);
        assert_eq!([0.0, 0.5, 12.0].map(plain), ["0", "0.5", "12"]);
    }

    #[test]
    fn linear_ticks_are_round_and_reach_the_highest_point() {
        let (low, high, ticks) = plot(false).y_range();
        assert_eq!(low, 0.0);
        assert!(high >= 60.0);
        assert_eq!(ticks[..3], [0.0, 10.0, 20.0]);
    }
}
