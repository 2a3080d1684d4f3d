//! CatBoost's numbers of categories: 32 bits of Google's CityHash64, version 1, of a category's text.

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;
const K3: u64 = 0xc949_d7c7_509e_6557;
const OF_TWO: u64 = 0x9ddf_ea08_eb38_2d69;
const OF_SEVERAL: u64 = 0x4906_ba49_4954_cb65;

/// The number that CatBoost gives to a category.
pub fn category_hash(text: &str) -> u32 {
    city_hash(text.as_bytes()) as u32
}

/// The number of several categories together: this one's and that of those before it, 0 for none.
pub(super) fn joined(before: u64, category: u64) -> u64 {
    OF_SEVERAL.wrapping_mul(before.wrapping_add(OF_SEVERAL.wrapping_mul(category)))
}

/// The number of a category as it is joined: 32 bits with their sign.
pub(super) fn widened(category: u32) -> u64 {
    i64::from(category.cast_signed()).cast_unsigned()
}

fn city_hash(text: &[u8]) -> u64 {
    match text.len() {
        0..=16 => up_to_16(text),
        17..=32 => up_to_32(text),
        33..=64 => up_to_64(text),
        _ => longer(text),
    }
}

/// Eight bytes from an index on.
fn eight(text: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&text[at..at + 8]);
    u64::from_le_bytes(bytes)
}

fn four(text: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&text[at..at + 4]);
    u64::from(u32::from_le_bytes(bytes))
}

fn mixed(value: u64) -> u64 {
    value ^ (value >> 47)
}

fn of_two(low: u64, high: u64) -> u64 {
    let first = mixed((low ^ high).wrapping_mul(OF_TWO));
    mixed((high ^ first).wrapping_mul(OF_TWO)).wrapping_mul(OF_TWO)
}

fn up_to_16(text: &[u8]) -> u64 {
    let length = text.len();
    let wide = length as u64;
    match length {
        0 => K2,
        1..=3 => {
            let byte = |at: usize| u64::from(text[at]);
            let y = byte(0) + (byte(length / 2) << 8);
            let z = wide + (byte(length - 1) << 2);
            mixed(y.wrapping_mul(K2) ^ z.wrapping_mul(K3)).wrapping_mul(K2)
        }
        4..=8 => of_two(wide + (four(text, 0) << 3), four(text, length - 4)),
        _ => {
            let last = eight(text, length - 8);
            let turned = last.wrapping_add(wide).rotate_right(length as u32);
            of_two(eight(text, 0), turned) ^ last
        }
    }
}

fn up_to_32(text: &[u8]) -> u64 {
    let length = text.len();
    let a = eight(text, 0).wrapping_mul(K1);
    let b = eight(text, 8);
    let c = eight(text, length - 8).wrapping_mul(K2);
    let d = eight(text, length - 16).wrapping_mul(K0);
    let low = a.wrapping_sub(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    let high = a.wrapping_add((b ^ K3).rotate_right(20)).wrapping_sub(c);
    of_two(low, high.wrapping_add(length as u64))
}

fn up_to_64(text: &[u8]) -> u64 {
    let length = text.len();
    // Both halves are stirred alike: from 32 bytes to two numbers.
    let stirred = |start: u64, at: usize, z: u64| {
        let mut a = start;
        let mut b = a.wrapping_add(z).rotate_right(52);
        let mut c = a.rotate_right(37);
        a = a.wrapping_add(eight(text, at + 8));
        c = c.wrapping_add(a.rotate_right(7));
        a = a.wrapping_add(eight(text, at + 16));
        b = b.wrapping_add(a.rotate_right(31)).wrapping_add(c);
        (a.wrapping_add(z), b)
    };
    let from_end = eight(text, length - 16).wrapping_add(length as u64).wrapping_mul(K0);
    let (first, second) = stirred(eight(text, 0).wrapping_add(from_end), 0, eight(text, 24));
    let start = eight(text, 16).wrapping_add(eight(text, length - 32));
    let (third, fourth) = stirred(start, length - 32, eight(text, length - 8));
    let low = first.wrapping_add(fourth).wrapping_mul(K2);
    let high = third.wrapping_add(second).wrapping_mul(K0);
    let rest = mixed(low.wrapping_add(high)).wrapping_mul(K0);
    mixed(rest.wrapping_add(second)).wrapping_mul(K2)
}

/// 32 bytes from an index on, stirred into two numbers.
fn stir(text: &[u8], at: usize, a: u64, b: u64) -> (u64, u64) {
    let [w, x, y, z] = [0, 8, 16, 24].map(|offset| eight(text, at + offset));
    let first = a.wrapping_add(w);
    let second = b.wrapping_add(first).wrapping_add(z).rotate_right(21);
    let sum = first.wrapping_add(x).wrapping_add(y);
    (sum.wrapping_add(z), second.wrapping_add(sum.rotate_right(44)).wrapping_add(first))
}

fn longer(text: &[u8]) -> u64 {
    let length = text.len();
    let wide = length as u64;
    let mut y = eight(text, length - 16) ^ K1;
    let mut z = eight(text, length - 56) ^ K0;
    let mut v = stir(text, length - 64, wide, y);
    let mut w = stir(text, length - 32, wide.wrapping_mul(K1), K0);
    z = z.wrapping_add(mixed(v.1).wrapping_mul(K1));
    let mut x = z.wrapping_add(eight(text, 0)).rotate_right(39).wrapping_mul(K1);
    y = y.rotate_right(33).wrapping_mul(K1);
    for at in (0..(length - 1) / 64).map(|block| 64 * block) {
        let inner = x.wrapping_add(y).wrapping_add(v.0).wrapping_add(eight(text, at + 16));
        x = inner.rotate_right(37).wrapping_mul(K1) ^ w.1;
        let inner = y.wrapping_add(v.1).wrapping_add(eight(text, at + 48));
        y = inner.rotate_right(42).wrapping_mul(K1) ^ v.0;
        z = (z ^ w.0).rotate_right(33);
        v = stir(text, at, v.1.wrapping_mul(K1), x.wrapping_add(w.0));
        w = stir(text, at + 32, z.wrapping_add(w.1), y);
        std::mem::swap(&mut z, &mut x);
    }
    let low = of_two(v.0, w.0).wrapping_add(mixed(y).wrapping_mul(K1)).wrapping_add(z);
    of_two(low, of_two(v.1, w.1).wrapping_add(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From a file of CatBoost 1.2.10, which lists them where it is given the table, too.
    #[test]
    fn hashes_are_those_of_catboost() {
        for (text, hash) in GOLDEN {
            assert_eq!(category_hash(text), hash, "{text}");
        }
    }

    const GOLDEN: [(&str, u32); 8] = [
        ("p", 759_035_679),
        ("q", 1_131_503_775),
        ("rr", 3_591_628_481),
        ("abcdefghi", 3_019_552_977),
        ("und noch etwas Längeres als 16", 2_188_875_458),
        ("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 3_236_838_547),
        ("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy", 4_165_773_509),
        (
            concat!(
                "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
                "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
                "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
                "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
            ),
            1_500_317_608,
        ),
    ];
}
