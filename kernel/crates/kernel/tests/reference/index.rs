//! The structural index, byte by byte.

use super::Space;
use kernel::scan::{Scanned, scan_at};
use kernel::simd::Level;

/// Offsets into the bytes.
pub struct Index {
    pub held: usize,
    /// False if a control character in a string has ended the index.
    pub is_whole: bool,
    pub structural: Vec<usize>,
    pub escapes: Vec<usize>,
}

pub fn scan_slowly(bytes: &[u8]) -> Index {
    let mut index = Index { held: 0, is_whole: true, structural: vec![], escapes: vec![] };
    let (mut in_string, mut is_escaped) = (false, false);
    let mut found = vec![];
    for (at, byte) in bytes.iter().enumerate() {
        let was_escaped = std::mem::take(&mut is_escaped);
        match byte {
            b'"' if !was_escaped => {
                in_string = !in_string;
                found.push(at);
            }
            b'\\' if !was_escaped => {
                is_escaped = true;
                index.escapes.push(at);
            }
            0..b' ' if in_string => {
                index.is_whole = false;
                break;
            }
            b'\n' => {
                found.push(at);
                index.held = at + 1;
                index.structural.append(&mut found);
            }
            // The walk refuses the form feed and 0x1a, which only look structural.
            b'{' | b'}' | b'[' | b']' | b',' | b':' | 0x0c | 0x1a if !in_string => found.push(at),
            _ => {}
        }
    }
    index.escapes.retain(|at| *at < index.held);
    index
}

/// What may be written behind the index.
pub const BEHIND: usize = 128;

/// Scans bytes in the kernel at each level that the processor has, and expects what the reference finds and nothing written outside
/// the room for it.
pub fn check_scan(bytes: &[u8]) {
    let expected = scan_slowly(bytes);
    for level in Level::all() {
        check_level(bytes, &expected, level);
    }
}

fn check_level(bytes: &[u8], expected: &Index, level: Level) {
    let mut space = Space::new(bytes.len() * 10 + 2048);
    let padded = [bytes, &[b' '; 64]].concat();
    let (from, escapes) = (space.put(&padded), space.take(bytes.len() * 4 + 4));
    let index = space.take(bytes.len() * 4 + BEHIND);
    let before = space.before(from);
    let Scanned { held, is_utf8 } = scan_at(level, space.memory, from, bytes.len(), index, escapes);
    assert_eq!(held, expected.held, "{level:?}");
    let found = |at: &usize| from + at;
    let structural: Vec<_> = expected.structural.iter().map(found).collect();
    assert_eq!(space.words(index, structural.len()), structural, "{level:?}");
    // The walk looks ahead into the spaces.
    assert_eq!(space.words(index + structural.len() * 4, 8), vec![from + bytes.len(); 8], "{level:?}");
    let ends: Vec<_> = expected.escapes.iter().map(found).collect();
    assert_eq!(space.words(escapes, ends.len()), ends, "{level:?}");
    let next = space.memory.word(escapes + ends.len() * 4);
    assert!(next >= from + held, "{level:?}: expected escapes of the lines that are held, got one at {next}");
    if expected.is_whole {
        assert_eq!(is_utf8, std::str::from_utf8(bytes).is_ok(), "{level:?}");
    }
    // It may be too careful with what is not whole.
    assert!(!is_utf8 || std::str::from_utf8(&bytes[..held]).is_ok(), "{level:?}");
    assert_eq!(space.before(from), before);
    assert_eq!(space.memory.slice(from, padded.len()), padded);
    assert!(space.is_untouched(index + bytes.len() * 4 + BEHIND));
}
