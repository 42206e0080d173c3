//! Row groups; Parquet's encodings and numbers against simple decoders and the standard library.

mod reference;

use kernel::numbers::parse_float;
use kernel::parquet::bounds::{bound_decimals, bound_floats, bound_numbers, bound_texts};
use kernel::parquet::dictionary;
use kernel::parquet::hybrid::pack;
use kernel::parquet::kind::Kind;
use kernel::parquet::levels::{Lists, write_list_levels, write_scalar_levels};
use kernel::parquet::room::Room;
use kernel::parquet::values::Values;
use proptest::prelude::*;
use reference::row_group::check_row_group;
use reference::{Choices, Space};

fn has_bit(bits: &[u8], index: usize) -> bool {
    bits[index / 8] >> (index % 8) & 1 != 0
}

/// Reads numbers in the hybrid encoding, and those that fill up the last eight.
fn unpack(mut bytes: &[u8], bits: usize) -> Vec<u32> {
    let mut numbers = vec![];
    while !bytes.is_empty() {
        let (mut header, mut shift) = (0, 0);
        loop {
            let (first, rest) = bytes.split_first().unwrap();
            bytes = rest;
            header |= usize::from(first & 127) << shift;
            shift += 7;
            if *first < 128 {
                break;
            }
        }
        let taken = if header & 1 == 0 { bits.div_ceil(8) } else { (header >> 1) * bits };
        let (now, rest) = bytes.split_at(taken);
        bytes = rest;
        if header & 1 == 0 {
            let value = now.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
            numbers.extend(vec![value; header >> 1]);
        } else {
            let bit = |at: usize| u32::from(has_bit(now, at));
            let number = |index: usize| (0..bits).map(|at| bit(index * bits + at) << at).sum::<u32>();
            numbers.extend((0..(header >> 1) * 8).map(number));
        }
    }
    numbers
}

/// Numbers of some bits, in runs.
fn runs() -> impl Strategy<Value = (usize, Vec<u32>)> {
    (1usize..=15).prop_flat_map(|bits| {
        let run = (0u32..1 << bits, prop_oneof![Just(1usize), 1usize..40]);
        let numbers = prop::collection::vec(run, 0..60)
            .prop_map(|runs| runs.into_iter().flat_map(|(value, count)| vec![value; count]).collect());
        (Just(bits), numbers)
    })
}

fn texts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let byte = prop_oneof![4 => 0u8..3, 1 => any::<u8>()];
    prop::collection::vec(prop::collection::vec(byte, 0..20), 1..100)
}

/// Puts texts, and their pairs of address and length.
fn put_texts(space: &mut Space, texts: &[Vec<u8>]) -> (usize, usize) {
    let pairs: Vec<_> = texts.iter().flat_map(|text| [space.put(text), text.len()]).collect();
    let address = space.put_words(&pairs);
    (address, address + texts.len() * 8)
}

/// The distinct values, and which of them each value is.
fn find_distinct(space: &mut Space, values: Values) -> (Values, Vec<usize>) {
    let low = space.take(1 << 16);
    let mut room = Room { low, high: low + (1 << 16) };
    let found = dictionary::find(values, usize::MAX / 16, &mut room).unwrap().unwrap();
    (found.values, space.words(found.indexes, values.count()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reads_floats_as_the_standard_library_does(text in "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,24})?([eE][+-]?[0-9]{1,4})?") {
        let mut space = Space::new(1024);
        let at = space.put(text.as_bytes());
        let float = parse_float(space.memory, at, text.len());
        prop_assert_eq!(float.to_bits(), text.parse::<f64>().unwrap().to_bits());
    }

    #[test]
    fn packs_what_a_decoder_reads((bits, numbers) in runs()) {
        let mut space = Space::new(1 << 15);
        let words: Vec<_> = numbers.iter().map(|number| *number as usize).collect();
        let (from, to) = (space.put_words(&words), space.take(1 << 13));
        let end = pack::<u32>(space.memory, from, numbers.len(), bits, to);
        let mut read = unpack(space.memory.slice(to, end - to), bits);
        prop_assert!(read.len() < numbers.len() + 8);
        read.truncate(numbers.len());
        prop_assert_eq!(read, numbers);
        prop_assert!(space.is_untouched(end + 16));
    }

    #[test]
    fn packs_levels_of_a_byte((bits, numbers) in runs()) {
        let (mut space, bits) = (Space::new(1 << 14), bits.min(8));
        let levels: Vec<_> = numbers.iter().map(|number| (number & ((1 << bits) - 1)) as u8).collect();
        let (from, to) = (space.put(&levels), space.take(1 << 12));
        let end = pack::<u8>(space.memory, from, levels.len(), bits, to);
        let read = unpack(space.memory.slice(to, end - to), bits);
        let expected: Vec<_> = levels.iter().map(|level| u32::from(*level)).collect();
        prop_assert_eq!(&read[..levels.len()], expected);
        prop_assert!(space.is_untouched(end + 16));
    }

    #[test]
    fn writes_levels_of_scalars(validity in prop::collection::vec(any::<u8>(), 32), ends in [0usize..256, 0..256]) {
        let mut space = Space::new(1024);
        let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let (bits, levels) = (space.put(&validity), space.take(256));
        write_scalar_levels(space.memory, bits, from, to, levels);
        let expected: Vec<_> = (from..to).map(|row| u8::from(has_bit(&validity, row))).collect();
        prop_assert_eq!(space.memory.slice(levels, to - from), expected);
        prop_assert!(space.is_untouched(levels + to - from + 7));
    }

    #[test]
    fn writes_levels_of_lists(
        counts in prop::collection::vec(0usize..5, 1..40),
        validity in prop::collection::vec(any::<u8>(), 5),
        element_validity in prop::collection::vec(any::<u8>(), 20),
    ) {
        let mut space = Space::new(4096);
        let mut offsets = vec![0];
        let (mut expected, mut expected_repetitions) = (vec![], vec![]);
        for (row, count) in counts.iter().enumerate() {
            let first = offsets[row];
            if *count == 0 {
                expected.push(u8::from(has_bit(&validity, row)));
                expected_repetitions.push(0);
            }
            for element in first..first + count {
                expected.push(2 + u8::from(has_bit(&element_validity, element)));
                expected_repetitions.push(u8::from(element > first));
            }
            offsets.push(first + count);
        }
        let lists = Lists {
            validity: space.put(&validity),
            offsets: space.put_words(&offsets),
            element_validity: space.put(&element_validity),
            from: 0,
            to: counts.len(),
        };
        let (levels, repetitions) = (space.take(256), space.take(256));
        let slots = write_list_levels(space.memory, lists, levels, repetitions);
        prop_assert_eq!(space.memory.slice(levels, slots), expected);
        prop_assert_eq!(space.memory.slice(repetitions, slots), expected_repetitions);
    }

    #[test]
    fn finds_the_distinct_texts_and_their_bounds(texts in texts()) {
        let mut space = Space::new(1 << 17);
        let (start, end) = put_texts(&mut space, &texts);
        let values = Values { memory: space.memory, kind: Kind::Text, start, end };
        let (distinct, indexes) = find_distinct(&mut space, values);
        let text_at = |pair: usize| space.memory.slice(space.memory.word(pair), space.memory.word(pair + 4));
        let mut seen: Vec<&[u8]> = vec![];
        for text in &texts {
            if !seen.contains(&&text[..]) {
                seen.push(text);
            }
        }
        let found: Vec<_> = (distinct.start..distinct.end).step_by(8).map(text_at).collect();
        prop_assert_eq!(&found, &seen);
        prop_assert!(indexes.iter().zip(&texts).all(|(index, text)| seen[*index] == text));
        let bounds = bound_texts(space.memory, start, end);
        let [least, greatest] = [bounds.0, bounds.1].map(|text| space.memory.slice(text.address, text.length));
        prop_assert_eq!((least, greatest), (&texts.iter().min().unwrap()[..], &texts.iter().max().unwrap()[..]));
    }

    #[test]
    fn finds_the_distinct_numbers_and_their_bounds(
        numbers in prop::collection::vec(prop_oneof![-4i64..4, any::<i64>()], 1..100),
    ) {
        let mut space = Space::new(1 << 17);
        let bytes: Vec<_> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let (start, bounds) = (space.put(&bytes), space.take(16));
        let (memory, end) = (space.memory, start + bytes.len());
        let (found, indexes) = find_distinct(&mut space, Values { memory, kind: Kind::Int64, start, end });
        let distinct: Vec<_> = (found.start..found.end).step_by(8).map(|at| memory.i64(at)).collect();
        prop_assert!((1..distinct.len()).all(|index| !distinct[..index].contains(&distinct[index])));
        let read: Vec<_> = indexes.iter().map(|index| distinct[*index]).collect();
        prop_assert_eq!(&read, &numbers);
        let expected = (*numbers.iter().min().unwrap(), *numbers.iter().max().unwrap());
        bound_numbers::<i64>(memory, start, end, bounds);
        prop_assert_eq!((memory.i64(bounds), memory.i64(bounds + 8)), expected);
        for (index, number) in numbers.iter().enumerate() {
            memory.set_u64(start + index * 8, (*number as u64).swap_bytes());
        }
        bound_decimals(memory, start, end, bounds, 8);
        let signed = |at: usize| memory.u64(at).swap_bytes() as i64;
        prop_assert_eq!((signed(bounds), signed(bounds + 8)), expected);
    }

    #[test]
    fn finds_the_bounds_of_floats(floats in prop::collection::vec(any::<f64>(), 1..50)) {
        let mut space = Space::new(1024);
        let bytes: Vec<_> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
        let (from, to) = (space.put(&bytes), space.take(16));
        let are_bounded = bound_floats(space.memory, from, from + bytes.len(), to);
        prop_assert_eq!(are_bounded, !floats.iter().any(|float| float.is_nan()));
        if are_bounded {
            let expected = floats.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), float| {
                (least.min(*float), greatest.max(*float))
            });
            prop_assert_eq!((space.memory.f64(to), space.memory.f64(to + 8)), expected);
        }
    }

    #[test]
    fn takes_batches_whole_or_damaged(bytes in prop::collection::vec(any::<u8>(), 0..2048)) {
        check_row_group(&mut Choices(&bytes));
    }
}
