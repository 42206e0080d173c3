//! The walk of one line after the other over the structural index, against the tree that `compileScan` has written.

pub mod tokens;

use crate::memory::{Address, Memory};

/// What a walk knows between two lines, and while it walks one.
pub struct Walk {
    pub(crate) memory: Memory,
    /// Input and output: see `SCOPE_ENVELOPE` and its neighbours.
    pub(crate) scope: Address,
    pub(crate) headers: Address,
    /// 0, or the negative number that `walk_line` returns for the region that has no room.
    pub(crate) room_missing: i32,
    /// Set if values are written as JSON text: values that JavaScript may write in another form are refused, also in unknown fields.
    pub(crate) keeps_json: bool,
    /// The next escape in the list of escapes: strings are walked in order, so none is skipped.
    pub(crate) escapes: Address,
    /// The beginning of the next line, in the bytes and in the index.
    pub(crate) line_start: Address,
    pub(crate) line_token: Address,
    pub(crate) json: JsonText,
}

/// JSON text that is put together from pieces of the line.
#[derive(Default)]
pub(crate) struct JsonText {
    /// The escape that was found last, and the first that may be found.
    pub searched: Address,
    pub first_searched: Address,
    /// Pieces that are still to be copied: from one address up to another.
    pub run_start: Address,
    pub run_end: Address,
    /// The beginning of the text in the arena, and its end so far.
    pub start: Address,
    pub out: Address,
    /// Set if a piece could not be written: there is no room, or JavaScript may write it in another form.
    pub is_broken: bool,
    /// The structural character behind the value of the content that was written or skipped last.
    pub behind: Address,
}
