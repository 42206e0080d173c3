//! The structural index against one that goes byte by byte.

mod reference;

use proptest::prelude::*;
use reference::index::check_scan;

const LINES: &str = r#"{"id":1,"name":{"en":"a\\\"b\u00e9","de":null},"list":[1, 2.5e3,true],"x":"\\\\"}
{"id":"two\\","t":"{[,:]}\n","größe":"10 €","Grüße":"👋🏽"}
"#;

/// The first and last characters of each length, and those around the surrogates.
const CHARACTERS: [&str; 10] =
    ["a", "\u{7f}", "\u{80}", "\u{7ff}", "\u{800}", "\u{d7ff}", "\u{e000}", "\u{ffff}", "\u{10000}", "\u{10ffff}"];

/// The first and last bytes of what may begin or continue a character, or neither.
const BYTES: [u8; 21] = [
    0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xef, 0xf0, 0xf3, 0xf4,
    0xf5, 0xff,
];

/// Bytes of which most mean something to the index.
fn signs() -> impl Strategy<Value = Vec<u8>> {
    let sign = prop_oneof![
        4 => prop::sample::select(&b"\"\\{}[],:\n a"[..]),
        1 => any::<u8>(),
    ];
    prop::collection::vec(sign, 0..400)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn finds_what_is_structural_in_any_bytes(bytes in signs()) {
        check_scan(&bytes);
    }

    #[test]
    fn finds_what_is_structural_in_damaged_lines(
        spaces in 0usize..70,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut bytes = [" ".repeat(spaces), LINES.repeat(2)].concat().into_bytes();
        for (index, byte) in damage {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        check_scan(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn says_whether_all_bytes_are_utf8(
        before in characters(),
        odd in prop::collection::vec(prop::sample::select(&BYTES[..]), 0..5),
        after in characters(),
    ) {
        check_scan(&[before.as_bytes(), &odd, after.as_bytes(), b"\n"].concat());
        // What is unfinished at the end of the bytes.
        check_scan(&[before.as_bytes(), after.as_bytes(), b"\n", &odd].concat());
    }
}

#[test]
fn says_of_any_two_bytes_whether_they_begin_a_character() {
    for (place, pair) in BYTES.iter().flat_map(|first| BYTES.map(|second| [*first, second])).enumerate() {
        for continues in 0..3 {
            let spaces = [b' '; 64];
            check_scan(&[&spaces[place % 5..], &pair, &[0x80; 2][..continues], b"\n"].concat());
        }
    }
}

fn characters() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&CHARACTERS[..]), 0..70).prop_map(|characters| characters.concat())
}

#[test]
fn finds_what_is_structural_wherever_lines_begin_and_end() {
    for spaces in 0..=130 {
        let bytes = [" ".repeat(spaces), LINES.to_owned()].concat().into_bytes();
        for end in (spaces..=bytes.len()).filter(|end| spaces < 2 || (end % 64) < 3 || end % 64 > 61) {
            check_scan(&bytes[..end]);
        }
    }
}
