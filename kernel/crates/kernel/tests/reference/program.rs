//! A small program as `compileScan` writes it, and blocks walked against it.

use super::Space;
use super::index::BEHIND;
use kernel::block::{Answer, Block};
use kernel::layout::*;
use kernel::memory::{Address, Memory};
use kernel::walk::Walk;

const SLOT_COUNT: usize = 256;
const CELL_COUNT: usize = 12;
const ARENA_BYTES: usize = 1 << 10;

struct Program {
    space: Space,
    memory: Memory,
    scope: Address,
}

impl Program {
    fn take(&mut self, bytes: usize) -> Address {
        let address = self.space.take(bytes);
        self.memory.fill(address, 0, bytes);
        address
    }

    /// A node whose values go to a cell of the scope, or nowhere.
    fn node(&mut self, kind: usize, cell: Option<usize>) -> Address {
        let node = self.take(NODE_BYTES);
        self.memory.set_word(node + NODE_KIND, kind);
        if let Some(cell) = cell {
            let slot = self.space.put_words(&[self.scope + SCOPE_CELLS]);
            let target = self.space.put_words(&[slot, cell * 8, 0, 0]);
            self.memory.set_word(node + NODE_TARGETS, target);
            self.memory.set_word(node + NODE_TARGET_COUNT, 1);
        }
        node
    }

    /// A condition that a cell of the record has a text, which `name` has with the end of a key.
    fn condition(&mut self, offset: usize, name: &[u8]) -> Address {
        let (condition, entry) = (self.take(CONDITION_BYTES), self.take(NAME_BYTES));
        for (index, byte) in name.iter().enumerate() {
            self.memory.set_u8(entry + index, *byte);
        }
        let length = name.len() - 2;
        for (at, word) in [(NAME_LENGTH, length), (NAME_MASK_ALONE, (1 << length) - 1)] {
            self.memory.set_word(entry + at, word);
        }
        for (at, word) in [(CONDITION_CELL, offset), (CONDITION_NAMES, entry), (CONDITION_NAME_COUNT, 1)] {
            self.memory.set_word(condition + at, word);
        }
        condition
    }

    fn code(&mut self, cell: usize) -> Address {
        let node = self.node(CODE_NODE, Some(cell));
        self.memory.set_word(node + CODE_LENGTH, 4);
        self.memory.set_word(node + CODE_MAY_BE_LIST, 1);
        node
    }

    fn list(&mut self, element: Address, cell: Option<usize>) -> Address {
        let (node, elements) = (self.node(LIST_NODE, cell), self.take(ELEMENT_BYTES));
        self.memory.set_word(elements + ELEMENT_NODE, element);
        self.memory.set_word(node + LIST_ELEMENTS, elements);
        self.memory.set_word(node + LIST_OR_ONE, 1);
        node
    }

    fn object(&mut self, members: &[(&str, Address)], cell: Option<usize>) -> Address {
        let node = self.node(OBJECT_NODE, cell);
        let mut keys: Vec<_> = members.iter().enumerate().map(|(number, (name, _))| (*name, number)).collect();
        keys.sort_unstable();
        self.set_members(node, members);
        for (index, (_, number)) in keys.iter().enumerate() {
            let member = self.memory.word(self.memory.word(node + OBJECT_MEMBERS) + number * 4);
            self.memory.set_word(member + MEMBER_RANK, index + 1);
        }
        node
    }

    fn localized(&mut self, text: Address, cell: Option<usize>) -> Address {
        let node = self.node(LOCALIZED_NODE, cell);
        self.memory.set_word(node + LOCALIZED_OTHER, text);
        self.memory.set_word(node + LOCALIZED_PLAIN, text);
        self.set_members(node, &[("en", text)]);
        node
    }

    fn set_members(&mut self, node: Address, members: &[(&str, Address)]) {
        let memory = self.memory;
        let (none, slots) = (self.take(MEMBER_BYTES), self.take(SLOT_COUNT * 4));
        memory.set_word(none + NAME_MASK, 0xffff);
        let (list, order) = (self.take(members.len() * 4), self.take((MOST_CONTENT_LOCALES + 1) * 8));
        for (at, value) in [
            (OBJECT_MEMBERS, list),
            (OBJECT_MEMBER_COUNT, members.len()),
            (OBJECT_ORDER, order),
            (OBJECT_SLOTS, slots),
            (OBJECT_SLOT_MASK, SLOT_COUNT - 1),
            (OBJECT_FIRST, none),
        ] {
            memory.set_word(node + at, value);
        }
        for (number, (name, value)) in members.iter().enumerate() {
            let (member, bytes) = (self.take(MEMBER_BYTES), name.as_bytes());
            for (index, byte) in bytes.iter().chain(b"\":").enumerate() {
                memory.set_u8(member + index, *byte);
            }
            for (at, word) in [
                (NAME_LENGTH, bytes.len()),
                (NAME_MASK, (1 << (bytes.len() + 2)) - 1),
                (NAME_MASK_ALONE, (1 << bytes.len()) - 1),
                (MEMBER_NODE, *value),
                (MEMBER_NUMBER, number),
                (MEMBER_NEXT, none),
            ] {
                memory.set_word(member + at, word);
            }
            memory.set_word(list + number * 4, member);
            let byte = |index: usize| usize::from(bytes[index]);
            let hash = bytes.len() * 131 + byte(0) * 31 + byte(bytes.len() - 1) * 7 + byte(bytes.len() / 2);
            let mut slot = hash % SLOT_COUNT;
            while memory.word(slots + slot * 4) != 0 {
                slot = (slot + 1) % SLOT_COUNT;
            }
            memory.set_word(slots + slot * 4, member);
        }
    }
}

/// `{ id, code, name, price, flag, at, loose, label, list of { a, b } as JSON }`, or that in an envelope.
fn compile(size: usize, keeps: u8) -> Program {
    let mut space = Space::new(size);
    let memory = space.memory;
    let scope = space.take(SCOPE_CELLS + CELL_COUNT * 8);
    memory.fill(scope, 0, SCOPE_CELLS + CELL_COUNT * 8);
    let mut program = Program { space, memory, scope };
    let nodes = [TEXT_NODE, FLOAT_NODE, BOOLEAN_NODE, TIMESTAMP_NODE, LOOSE_NODE, LABELLED_NODE]
        .map(|kind| program.node(kind, Some(4)));
    let [text, float, flag, at, loose, label] = nodes;
    let (id, code) = (program.node(INTEGER_NODE, Some(0)), program.code(5));
    let json = |cell| (keeps & 1 != 0).then_some(cell);
    let name = program.localized(text, json(6));
    let inner = program.object(&[("a", text), ("b", code)], None);
    let list = program.list(inner, json(7));
    let skipped = program.node(SKIPPED_NODE, None);
    let members = [
        ("id", id),
        ("code", code),
        ("name", name),
        ("price", float),
        ("flag", flag),
        ("at", at),
        ("loose", loose),
        ("label", label),
        ("list", list),
        ("skipped", skipped),
    ];
    let record = program.object(&members, json(8));
    let (index, total) = (program.node(INTEGER_NODE, Some(1)), program.node(INTEGER_NODE, Some(2)));
    let meta = program.object(&[("index", index), ("total", total)], None);
    let envelope = program.object(&[("meta", meta), ("result", record)], None);
    let condition = program.condition(5 * 8, b"0012\":");
    let root = program.take(ELEMENT_BYTES);
    let version = program.space.put_words(&[program.scope, if keeps & 16 == 0 { 4 } else { u32::MAX as usize }]);
    let arena = program.take(ARENA_BYTES);
    let headers = program.space.put_words(&[arena, arena + ARENA_BYTES, 0, 0]);
    let (marks, notes) = (program.take(16), program.take(MOST_NOTES * NOTE_BYTES));
    let (known, numbers) = (program.take(MOST_KNOWN * KNOWN_BYTES), program.take(NUMBER_COUNT * 8));
    let series = program.take(MOST_SERIES * SERIES_BYTES);
    for (at, value) in [
        (SCOPE_ENVELOPE, envelope),
        (SCOPE_BARE, record),
        (SCOPE_RECORD, record),
        (SCOPE_ROOT, root),
        (SCOPE_MARKS, marks),
        (SCOPE_HEADERS, headers),
        (SCOPE_HEADER_COUNT, 1),
        (SCOPE_NOTES, notes),
        (SCOPE_KNOWN, known),
        (SCOPE_SERIES, series),
        (SCOPE_CONDITIONS, condition),
        (SCOPE_CONDITION_COUNT, usize::from(keeps & 8 != 0)),
        (SCOPE_NUMBERS, numbers),
        (SCOPE_CELL_COUNT, CELL_COUNT),
        (SCOPE_MAX_LINE_BYTES, 1 << 16),
        (SCOPE_KEEPS_JSON, usize::from(keeps & 3 != 0)),
        (SCOPE_HASHES_CONTENT, usize::from(keeps & 2 != 0)),
        (SCOPE_VERSION, version),
    ] {
        memory.set_word(scope + at, value);
    }
    program
}

/// Walks a block whose first byte says what is kept. Every address is within the memory, or the kernel panics; only the line's
/// cells, the arena and the tables of the program are written, and cells are ranges of the block or of the arena.
pub fn check_walk(bytes: &[u8]) {
    let (keeps, block) = bytes.split_first().map_or((0, bytes), |(first, rest)| (*first, rest));
    let mut program = compile((1 << 16) + block.len() * 10, keeps);
    let (memory, scope) = (program.memory, program.scope);
    let padded = [block, &[b' '; 64]].concat();
    let ids = program.take(1 << 10);
    let start = program.space.put(&padded);
    let at = program.space.take(BLOCK_WORDS * 4);
    let (escapes, index) = (program.space.take(block.len() * 4 + 4), program.space.take(block.len() * 4 + BEHIND));
    for (at, value) in [(SCOPE_IDS, ids), (SCOPE_IDS_NEXT, ids), (SCOPE_IDS_END, ids + (1 << 10))] {
        memory.set_word(scope + at, value);
    }
    let words = [scope, start, start + block.len(), start, 0, index, escapes, usize::from(keeps & 4 != 0)];
    for (number, word) in words.iter().chain(&[0; BLOCK_WORDS - 8]).enumerate() {
        memory.set_word(at + number * 4, *word);
    }
    let arena = memory.word(memory.word(scope + SCOPE_HEADERS));
    loop {
        let next = memory.word(at + BLOCK_NEXT);
        match Block::new(memory, at).run() {
            Answer::Done => break,
            Answer::Fallback => {}
            Answer::Decoded => check_cells(memory, scope, start..start + block.len(), arena),
            Answer::Unindexed => match block[next - start..].iter().position(|byte| *byte == b'\n') {
                Some(length) => memory.set_word(at + BLOCK_NEXT, next + length + 1),
                None => break,
            },
            Answer::NoRoom(header) => {
                assert_eq!(header, 0);
                // A line that alone is too long for the arena is the fallback's.
                let is_fresh = memory.word(memory.word(scope + SCOPE_MARKS)) == arena;
                Walk::restore(memory, scope).roll_back();
                if is_fresh {
                    break;
                }
                memory.set_word(memory.word(scope + SCOPE_HEADERS), arena);
            }
        }
    }
    assert_eq!(memory.slice(start, padded.len()), padded);
    assert!(program.space.is_untouched(index + block.len() * 4 + BEHIND));
}

fn check_cells(memory: Memory, scope: Address, block: std::ops::Range<Address>, arena: Address) {
    for cell in (0..CELL_COUNT).map(|index| scope + SCOPE_CELLS + index * 8) {
        let (address, length) = (memory.word(cell), memory.word(cell + 4));
        let is_in = |from: Address, end: Address| address >= from && address + length <= end;
        assert!(
            length == u32::MAX as usize
                || length == 0
                || is_in(block.start, block.end)
                || is_in(arena, arena + ARENA_BYTES),
            "expected a range of the block or of the arena, got {length} bytes at {address}"
        );
    }
}
