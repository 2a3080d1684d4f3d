//! The trade-off between effort and plausibility for the applicants of an instance file.
//!
//! ```text
//! cargo run --release --example trade_off -- FILE [RESOLUTION] [ORDINARY] [POINTS] [SECONDS]
//! ```

use std::time::Duration;

use amends::engine::Control;
use amends::instance::read_instances;
use amends::plans::{FrontSettings, front};
use amends::{Engine, SolveSettings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("name an instance file")?;
    let mut number = || arguments.next().map(|text| text.parse::<f64>()).transpose();
    let mut wanted = FrontSettings::default();
    if let Some(resolution) = number()? {
        wanted.resolution = resolution;
    }
    wanted.ordinary = number()?.filter(|&ordinary| ordinary > 0.0);
    wanted.at_most = number()?.map(|most| most as usize).filter(|&most| most > 0);
    let time_limit = number()?.map(Duration::try_from_secs_f64).transpose()?;
    let settings = SolveSettings { time_limit, ..SolveSettings::default() };
    for instance in read_instances(&std::fs::read_to_string(&file)?, &file)? {
        let found = front(&instance, &wanted, &Engine::Search, &settings, &Control::default())?;
        println!(
            "{} points, {:?}, {} solves, {:.2} s",
            found.points.len(),
            found.end,
            found.solves,
            found.time.as_secs_f64()
        );
        for point in &found.points {
            let judged = &point.plan.evaluation;
            let names: Vec<&str> = instance
                .changed(&point.plan.choice)
                .into_iter()
                .map(|feature| instance.features()[feature].name.as_str())
                .collect();
            println!(
                "  distance {:8.4}  outlier {:8.4}  {}",
                judged.distance,
                judged.outlier,
                names.join(", ")
            );
        }
    }
    Ok(())
}
