//! The structural index against one that goes byte by byte.

mod reference;

use proptest::prelude::*;
use reference::index::check_scan;

const LINES: &str = r#"{"id":1,"name":{"en":"a\\\"b\u00e9","de":null},"list":[1, 2.5e3,true],"x":"\\\\"}
{"id":"two\\","t":"{[,:]}\n","größe":"10 €","Grüße":"👋🏽"}
"#;

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

#[test]
fn finds_what_is_structural_wherever_lines_begin_and_end() {
    for spaces in 0..=130 {
        let bytes = [" ".repeat(spaces), LINES.to_owned()].concat().into_bytes();
        for end in (spaces..=bytes.len()).filter(|end| spaces < 2 || (end % 64) < 3 || end % 64 > 61) {
            check_scan(&bytes[..end]);
        }
    }
}
