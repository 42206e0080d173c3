//! Deflated bytes, inflated piece by piece and by another decoder.

use super::Space;
use kernel::inflate::inflate;
use kernel::layout::*;
use miniz_oxide::inflate::decompress_to_vec;

const WINDOW_BYTES: usize = 32_768;

/// How many bytes a call gets, and how many it may write.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    pub input: usize,
    pub output: usize,
}

pub struct Inflated {
    /// That of the last call.
    pub status: usize,
    pub content: Vec<u8>,
    /// The bytes behind the end.
    pub left: usize,
}

/// Inflates bytes, and expects what another decoder makes of them and nothing written outside the room.
pub fn check_inflate(bytes: &[u8], pieces: Pieces) -> Inflated {
    let inflated = inflate_in_pieces(bytes, pieces);
    match decompress_to_vec(bytes) {
        Ok(content) => {
            assert_eq!(inflated.status, INFLATE_ENDED);
            assert!(inflated.content == content, "{pieces:?}");
        }
        Err(_) => assert_ne!(inflated.status, INFLATE_ENDED),
    }
    inflated
}

fn inflate_in_pieces(bytes: &[u8], pieces: Pieces) -> Inflated {
    let mut space = Space::new(WINDOW_BYTES + INFLATE_STATE_BYTES + pieces.input + pieces.output + 8192);
    let (state, input) = (space.put(&[0; INFLATE_STATE_BYTES]), space.take(pieces.input));
    let start = space.take(WINDOW_BYTES + pieces.output + INFLATE_SLACK) + WINDOW_BYTES;
    let (memory, limit) = (space.memory, start + pieces.output);
    let set = |at: usize, address: usize| memory.set_word(state + at, address);
    set(INFLATE_WINDOW, start);
    set(INFLATE_OUTPUT, start);
    set(INFLATE_LIMIT, limit);
    let mut content = vec![];
    for (number, piece) in bytes.chunks(pieces.input).enumerate() {
        for (index, byte) in piece.iter().enumerate() {
            memory.set_u8(input + index, *byte);
        }
        set(INFLATE_INPUT, input);
        set(INFLATE_INPUT_END, input + piece.len());
        loop {
            let from = memory.word(state + INFLATE_OUTPUT);
            let status = inflate(memory, state);
            let to = memory.word(state + INFLATE_OUTPUT);
            content.extend_from_slice(memory.slice(from, to - from));
            assert!(space.is_untouched(limit + INFLATE_SLACK));
            assert_eq!(memory.slice(input, piece.len()), piece);
            match status {
                INFLATE_NEEDS_INPUT => break,
                INFLATE_FULL => {
                    let kept = (to - memory.word(state + INFLATE_WINDOW)).min(WINDOW_BYTES);
                    memory.copy(start - kept, to - kept, kept);
                    set(INFLATE_WINDOW, start - kept);
                    set(INFLATE_OUTPUT, start);
                }
                _ => {
                    assert_eq!(memory.u32(state + INFLATE_SUM), crc32fast::hash(&content));
                    let taken = number * pieces.input + memory.word(state + INFLATE_INPUT) - input;
                    return Inflated { status, content, left: bytes.len() - taken };
                }
            }
        }
    }
    Inflated { status: INFLATE_NEEDS_INPUT, content, left: 0 }
}
