//! The `amends` program.

fn main() {
    println!("amends {}", env!("CARGO_PKG_VERSION"));
}
