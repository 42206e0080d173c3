//! The encoders against writers that go value by value.

mod reference;

use proptest::prelude::*;
use reference::Choices;
use reference::rows::{Form, check_encoder, choose_csv};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn writes_rows_as_csv(bytes in prop::collection::vec(any::<u8>(), 0..2048)) {
        let mut choices = Choices(&bytes);
        let form = choose_csv(&mut choices);
        check_encoder(&mut choices, form);
    }

    #[test]
    fn writes_rows_as_ndjson(bytes in prop::collection::vec(any::<u8>(), 0..2048)) {
        check_encoder(&mut Choices(&bytes), Form::Ndjson);
    }

    #[test]
    fn writes_rows_as_copy_text(bytes in prop::collection::vec(any::<u8>(), 0..2048)) {
        check_encoder(&mut Choices(&bytes), Form::Copy);
    }

    #[test]
    fn writes_rows_as_record_batches(bytes in prop::collection::vec(any::<u8>(), 0..2048)) {
        check_encoder(&mut Choices(&bytes), Form::Batch);
    }
}
