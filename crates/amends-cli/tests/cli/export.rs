//! `amends export`: programs for any solver.

use crate::support::{Folder, INSTANCE, TREE_INSTANCE};

#[test]
fn every_formulation_in_both_formats() {
    let folder = Folder::new().with("linear.json", INSTANCE).with("tree.json", TREE_INSTANCE);
    for file in ["linear.json", "tree.json"] {
        for formulation in ["pairwise", "reduced", "compact"] {
            let args = ["export", file, "--formulation", formulation, "--format"];
            let mps = folder.answers(&[&args[..], &["mps"]].concat()).out;
            for section in ["NAME", "ROWS", "COLUMNS", "RHS", "BOUNDS", "ENDATA"] {
                assert!(mps.lines().any(|line| line.starts_with(section)), "{section} in\n{mps}");
            }
            let lp = folder.answers(&[&args[..], &["lp"]].concat()).out.to_lowercase();
            for section in ["minimize", "subject to", "bounds", "end"] {
                assert!(lp.lines().any(|line| line.trim() == section), "{section} in\n{lp}");
            }
        }
    }
}

#[test]
fn the_file_s_name_chooses_the_format() {
    let folder = Folder::new().with("small.json", INSTANCE);
    for (name, format) in [("program.lp", "lp"), ("program.LP", "lp"), ("program.mps", "mps")] {
        let run = folder.answers(&["export", "small.json", "-o", name]);
        assert_eq!(run.out, "");
        let printed = folder.answers(&["export", "small.json", "--format", format]).out;
        assert_eq!(folder.read(name), printed, "{name}");
    }
    assert_eq!(folder.files().len(), 4, "{:?}", folder.files());
}

#[test]
fn standard_input_is_read() {
    let folder = Folder::new().with("small.json", INSTANCE);
    let run = folder.run_with_input(&["export", "-"], INSTANCE);
    assert_eq!(run.out, folder.answers(&["export", "small.json"]).out);
}

#[test]
fn an_unknown_formulation() {
    let folder = Folder::new().with("small.json", INSTANCE);
    let args = ["export", "small.json", "--formulation", "big", "-o", "program.lp"];
    folder
        .refuses(&args, &["--formulation: `big` is not a known formulation; use one of: pairwise"]);
}
