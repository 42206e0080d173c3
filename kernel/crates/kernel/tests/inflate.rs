//! The inflation against another decoder, and its verdicts.

mod reference;

use kernel::layout::*;
use miniz_oxide::deflate::compress_to_vec;
use proptest::prelude::*;
use reference::inflate::{Pieces, check_inflate};

/// Text with repetitions near and far, and bytes without any.
fn contents() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..400),
        ("[a-f\":,]{1,40}", 1..400usize).prop_map(|(text, times)| text.repeat(times).into_bytes()),
        (any::<u8>(), 1..70_000usize).prop_map(|(byte, times)| vec![byte; times]),
    ];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

fn pieces() -> impl Strategy<Value = Pieces> {
    let input = prop_oneof![1..40usize, 1..4096usize];
    let output = prop_oneof![1..400usize, 1..100_000usize];
    (input, output).prop_map(|(input, output)| Pieces { input, output })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn gives_back_what_was_deflated_wherever_it_is_cut(
        content in contents(),
        level in 0..=10u8,
        behind in 0..20usize,
        pieces in pieces(),
    ) {
        let mut bytes = compress_to_vec(&content, level);
        bytes.extend(vec![0xa5; behind]);
        let inflated = check_inflate(&bytes, pieces);
        prop_assert_eq!((inflated.status, inflated.left), (INFLATE_ENDED, behind));
        prop_assert!(inflated.content == content);
    }

    #[test]
    fn judges_damaged_data_as_another_decoder_does(
        content in contents(),
        level in 0..=10u8,
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        pieces in pieces(),
    ) {
        let mut bytes = compress_to_vec(&content, level);
        for (at, byte) in damages {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        check_inflate(&bytes, pieces);
    }

    #[test]
    fn judges_any_bytes_as_another_decoder_does(bytes in prop::collection::vec(any::<u8>(), 1..2000), pieces in pieces()) {
        check_inflate(&bytes, pieces);
    }
}

#[test]
fn names_what_is_damaged() {
    for (bytes, status) in [
        (&[0b111][..], INFLATE_BLOCK_TYPE),
        (&[0b001, 1, 0, 0, 0], INFLATE_STORED_LENGTH),
        (&[0b1111_0101, 0, 0], INFLATE_SYMBOLS),
        // A match before anything that it could repeat.
        (&[0b011, 0b10, 0], INFLATE_TOO_FAR_BACK),
    ] {
        assert_eq!(check_inflate(bytes, Pieces { input: 100, output: 100 }).status, status, "{bytes:?}");
    }
}
