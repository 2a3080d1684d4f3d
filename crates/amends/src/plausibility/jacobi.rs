//! Eigenvectors by one-sided Jacobi rotations.
//!
//! The covariance of raw columns spans thirteen powers of ten (an amount's variance and a ridge),
//! and its *smallest* eigenvalues weigh most in the inverse. Solvers that work on the matrix itself
//! lose them in the rounding of the largest; rotations of its triangular root keep each one to nearly
//! full precision (Demmel and Veselić, 1992). They are also plain sums and products in a fixed order,
//! so every machine gets the same digits.

/// More than ever needed: convergence is quadratic, usually within ten sweeps.
const MAX_SWEEPS: usize = 60;

/// Rotates `columns` among each other until they are orthogonal. As rotations leave V V' alone, they
/// then are the eigenvectors of V V', each as long as the root of its eigenvalue.
pub(super) fn orthogonalise(columns: &mut [Vec<f64>]) {
    for _ in 0..MAX_SWEEPS {
        let mut rotated = false;
        for p in 0..columns.len() {
            for q in p + 1..columns.len() {
                let (head, tail) = columns.split_at_mut(q);
                rotated |= rotate(&mut head[p], &mut tail[0]);
            }
        }
        if !rotated {
            return;
        }
    }
}

/// Makes `p` and `q` orthogonal; false where they already are, up to rounding.
fn rotate(p: &mut [f64], q: &mut [f64]) -> bool {
    let (pp, qq, pq) = (dot(p, p), dot(q, q), dot(p, q));
    if pq.abs() <= 4.0 * f64::EPSILON * pp.sqrt() * qq.sqrt() {
        return false;
    }
    let zeta = (qq - pp) / (2.0 * pq);
    let tangent = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = cosine * tangent;
    for (p, q) in p.iter_mut().zip(q) {
        (*p, *q) = (cosine * *p - sine * *q, sine * *p + cosine * *q);
    }
    true
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_eigenvectors_of_two_by_two() {
        // V V' = [[2, 1], [1, 2]] has eigenvalues 3 and 1 along (1, 1) and (1, -1).
        let mut columns = vec![vec![1.5f64.sqrt(), 0.0], vec![0.5f64.sqrt(), 2f64.sqrt()]];
        orthogonalise(&mut columns);
        columns.sort_by(|a, b| dot(b, b).total_cmp(&dot(a, a)));
        assert!((dot(&columns[0], &columns[0]) - 3.0).abs() < 1e-14);
        assert!((dot(&columns[1], &columns[1]) - 1.0).abs() < 1e-14);
        assert!((columns[0][0] - columns[0][1]).abs() < 1e-14);
        assert!((columns[1][0] + columns[1][1]).abs() < 1e-14);
    }

    #[test]
    fn a_tiny_eigenvalue_beside_a_huge_one_keeps_its_digits() {
        // V V' has determinant (1e8 * 1e-8)^2 = 1 and trace 1e16 + 1 + 1e-16.
        let mut columns = vec![vec![1e8, 0.0], vec![1.0, 1e-8]];
        orthogonalise(&mut columns);
        let product = dot(&columns[0], &columns[0]) * dot(&columns[1], &columns[1]);
        assert!((product - 1.0).abs() < 1e-14, "{product}");
    }
}
