//! The walk of damaged lines: it leaves its ranges for none.

mod reference;

use proptest::prelude::*;
use reference::program::check_walk;

const LINES: [&str; 4] = [
    r#"{"id":1,"code":"12","name":{"en":"a\n\u00e9"},"price":1.50,"flag":true,"at":0,"list":[{"a":"x","b":["1","2"]}]}"#,
    r#"{"meta":{"index":1,"total":2},"result":{"id":1,"name":"n","loose":"l","label":{"value":"v","label":"w"},"new":[{}]}}"#,
    r#"{"meta":{"index":2,"total":2},"result":{"list":[{"b":"7","a":"\/"},null],"id":2,"skipped":[1,{"a":null}],"name":[]}}"#,
    r#"{"id":3,"name":{"de":"d","en":null,"fr":1},"code":[],"at":"12345678901","list":{"a":1},"x y":"\\"}"#,
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn stays_within_its_ranges(
        keeps in 0u8..16,
        lines in prop::collection::vec(prop::sample::select(&LINES[..]), 1..6),
        damage in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&b"\"\\{}[],:\n 0ant"[..])), 0..4),
    ) {
        let mut bytes = [vec![keeps], (lines.join("\n") + "\n").into_bytes()].concat();
        for (index, byte) in damage {
            let at = 1 + index.index(bytes.len() - 1);
            bytes[at] = byte;
        }
        check_walk(&bytes);
    }
}
