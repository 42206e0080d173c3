//! The structural index, byte by byte.

use super::Space;
use kernel::scan::scan;

/// Offsets into the bytes.
pub struct Index {
    pub held: usize,
    pub structural: Vec<usize>,
    pub escapes: Vec<usize>,
}

pub fn scan_slowly(bytes: &[u8]) -> Index {
    let mut index = Index { held: 0, structural: vec![], escapes: vec![] };
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
            0..b' ' if in_string => break,
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

/// Scans bytes in the kernel, and expects what the reference finds and nothing written outside the room for it.
pub fn check_scan(bytes: &[u8]) {
    let mut space = Space::new(bytes.len() * 10 + 2048);
    let padded = [bytes, &[b' '; 64]].concat();
    let (from, escapes) = (space.put(&padded), space.take(bytes.len() * 4 + 4));
    let index = space.take(bytes.len() * 4 + 32);
    let before = space.before(from);
    let held = scan(space.memory, from, bytes.len(), index, escapes);
    let expected = scan_slowly(bytes);
    assert_eq!(held, expected.held);
    let found = |at: &usize| from + at;
    let structural: Vec<_> = expected.structural.iter().map(found).collect();
    assert_eq!(space.words(index, structural.len()), structural);
    // The walk looks ahead into the spaces.
    assert_eq!(space.words(index + structural.len() * 4, 8), vec![from + bytes.len(); 8]);
    let ends: Vec<_> = expected.escapes.iter().map(found).collect();
    assert_eq!(space.words(escapes, ends.len()), ends);
    let next = space.memory.word(escapes + ends.len() * 4);
    assert!(next >= from + held, "expected escapes of the lines that are held, got one at {next}");
    assert_eq!(space.before(from), before);
    assert_eq!(space.memory.slice(from, padded.len()), padded);
    assert!(space.is_untouched(index + bytes.len() * 4 + 64));
}
