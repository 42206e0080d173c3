//! Trees and lines for tests: nodes as `compileScan` writes them, and the JSON text that values come to.

use crate::layout::*;
use crate::memory::{Address, Bytes, Memory};
use crate::scan::scan;
use crate::walk::Walk;

const MEMORY_BYTES: usize = 1 << 17;
const SCOPE: Address = 64;
const HEADERS: Address = 512;
const ARENA: Address = 1 << 10;
pub const ARENA_BYTES: usize = 1 << 13;
const LINE: Address = 1 << 14;
const INDEX: Address = 1 << 15;
const ESCAPES: Address = 3 << 14;
const NODES: Address = 1 << 16;
const SLOT_COUNT: usize = 256;

pub struct Lines {
    memory: Memory,
    free: Address,
    arena_bytes: usize,
    _bytes: Vec<u8>,
}

/// What became of a value.
#[derive(Debug, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    /// False for a range of the line.
    pub is_copied: bool,
    pub arena_bytes: usize,
}

/// Why there is no text.
#[derive(Debug, PartialEq, Eq)]
pub enum Missing {
    Room,
    Form,
}

impl Lines {
    pub fn new() -> Self {
        let mut bytes = vec![0; MEMORY_BYTES];
        // SAFETY: the buffer is not moved, and nothing else touches it.
        let memory = unsafe { Memory::over(bytes.as_mut_ptr(), bytes.len()) };
        memory.set_word(SCOPE + SCOPE_HEADERS, HEADERS);
        Self { memory, free: NODES, arena_bytes: ARENA_BYTES, _bytes: bytes }
    }

    pub fn limit_arena(&mut self, bytes: usize) {
        self.arena_bytes = bytes;
    }

    fn take(&mut self, bytes: usize) -> Address {
        let address = self.free;
        self.free += bytes.next_multiple_of(16);
        address
    }

    /// A node without members, elements and so on, whose values go to one cell.
    pub fn node(&mut self, kind: usize) -> Address {
        let (node, target, slot, cell) = (self.take(NODE_BYTES), self.take(TARGET_BYTES), self.take(4), self.take(8));
        self.memory.set_word(node + NODE_KIND, kind);
        self.memory.set_word(node + NODE_TARGETS, target);
        self.memory.set_word(node + NODE_TARGET_COUNT, 1);
        self.memory.set_word(target + TARGET_SLOT, slot);
        self.memory.set_word(slot, cell);
        node
    }

    pub fn code(&mut self, digits: usize) -> Address {
        let node = self.node(CODE_NODE);
        self.memory.set_word(node + CODE_LENGTH, digits);
        node
    }

    pub fn list(&mut self, element: Address) -> Address {
        let (node, elements) = (self.node(LIST_NODE), self.take(ELEMENT_BYTES));
        self.memory.set_word(node + LIST_ELEMENTS, elements);
        self.memory.set_word(elements + ELEMENT_NODE, element);
        node
    }

    /// All members are content.
    pub fn object(&mut self, members: &[(&str, Address)]) -> Address {
        let node = self.node(OBJECT_NODE);
        let mut keys: Vec<_> = members.iter().enumerate().map(|(number, (name, _))| (*name, number)).collect();
        keys.sort_unstable();
        self.write_members(node, members);
        for (index, (_, number)) in keys.iter().enumerate() {
            self.memory.set_word(self.memory.member_of_number(node, *number) + MEMBER_RANK, index + 1);
        }
        node
    }

    pub fn localized(&mut self, other: Address, members: &[(&str, Address)]) -> Address {
        let node = self.node(LOCALIZED_NODE);
        self.memory.set_word(node + LOCALIZED_OTHER, other);
        self.write_members(node, members);
        node
    }

    /// Has a number, a list and a text in place of an object become these members.
    pub fn set_bare(&mut self, node: Address, [number, list, text]: [usize; 3], list_node: Address) {
        self.memory.set_word(node + OBJECT_BARE_NUMBER, number);
        self.memory.set_word(node + OBJECT_BARE_LIST_NUMBER, list);
        self.memory.set_word(node + OBJECT_BARE_LIST, list_node);
        self.memory.set_word(node + OBJECT_BARE_TEXT_NUMBER, text);
    }

    /// Takes a member from the content.
    pub fn drop_content(&mut self, node: Address, number: usize) {
        self.memory.set_word(self.memory.member_of_number(node, number) + MEMBER_RANK, 0);
    }

    pub fn deliver(&mut self, node: Address) {
        self.memory.set_word(node + OBJECT_IS_DELIVERED, 1);
    }

    fn write_members(&mut self, node: Address, members: &[(&str, Address)]) {
        let memory = self.memory;
        let (none, slots) = (self.take(NAME_BYTES), self.take(SLOT_COUNT * 4));
        // Nothing begins with sixteen bytes of zero.
        memory.set_word(none + NAME_MASK, 0xffff);
        let (list, order) =
            (self.take(members.len() * 4), self.take((members.len().max(MOST_CONTENT_LOCALES) + 1) * 8));
        memory.set_word(node + OBJECT_MEMBERS, list);
        memory.set_word(node + OBJECT_MEMBER_COUNT, members.len());
        memory.set_word(node + OBJECT_ORDER, order);
        memory.set_word(node + OBJECT_SLOTS, slots);
        memory.set_word(node + OBJECT_SLOT_MASK, SLOT_COUNT - 1);
        memory.set_word(node + OBJECT_FIRST, none);
        for (number, (name, value)) in members.iter().enumerate() {
            let member = self.take(MEMBER_BYTES);
            let bytes = name.as_bytes();
            memory.set_word(member + NAME_LENGTH, bytes.len());
            memory.set_word(member + NAME_MASK, (1 << (bytes.len() + 2)) - 1);
            memory.set_word(member + NAME_MASK_ALONE, (1 << bytes.len()) - 1);
            for (index, byte) in bytes.iter().chain(b"\":").enumerate() {
                memory.set_u8(member + index, *byte);
            }
            memory.set_word(member + MEMBER_NODE, *value);
            memory.set_word(member + MEMBER_NUMBER, number);
            memory.set_word(member + MEMBER_NEXT, none);
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

    /// Begins to walk a line that is this value.
    fn enter(&mut self, value: &str) -> Walk {
        let (memory, line) = (self.memory, format!("{value}\n{:64}", ""));
        for (index, byte) in line.bytes().enumerate() {
            memory.set_u8(LINE + index, byte);
        }
        assert_eq!(scan(memory, LINE, value.len() + 1, INDEX, ESCAPES).held, value.len() + 1);
        memory.fill(ARENA, 0, LINE - ARENA);
        memory.set_word(HEADERS, ARENA);
        memory.set_word(HEADERS + 4, ARENA + self.arena_bytes);
        Walk::begin(memory, SCOPE, LINE, INDEX, ESCAPES)
    }

    fn leave(&self, walk: &Walk, is_written: bool, cell: Address) -> Result<Text, Missing> {
        let limit = ARENA + self.arena_bytes;
        assert!(
            self.memory.slice(limit, LINE - limit).iter().all(|byte| *byte == 0),
            "expected nothing behind the arena"
        );
        if !is_written {
            return Err(if walk.room_missing == Some(0) { Missing::Room } else { Missing::Form });
        }
        let (address, length) = (self.memory.word(cell), self.memory.word(cell + 4));
        Ok(Text {
            text: String::from_utf8(self.memory.slice(address, length).to_vec()).unwrap(),
            is_copied: address == ARENA,
            arena_bytes: self.memory.word(HEADERS) - ARENA,
        })
    }

    pub fn try_json(&mut self, node: Address, value: &str) -> Result<Text, Missing> {
        let mut walk = self.enter(value);
        let is_written = walk.put_json(node, INDEX, LINE, ESCAPES);
        let target = self.memory.word(node + NODE_TARGETS);
        self.leave(&walk, is_written, self.memory.word(self.memory.word(target + TARGET_SLOT)))
    }

    pub fn json(&mut self, node: Address, value: &str) -> String {
        self.try_json(node, value).unwrap().text
    }

    pub fn try_content(&mut self, node: Address, value: &str) -> Result<Text, Missing> {
        let mut walk = self.enter(value);
        let (cell, no_version) = (self.take(8), self.take(8));
        self.memory.set_u32(no_version + 4, u32::MAX);
        let content = walk.write_content(node, INDEX, ESCAPES, no_version);
        if let Some(Bytes { address, length }) = content {
            self.memory.set_u64(cell, address as u64 | (length as u64) << 32);
        }
        self.leave(&walk, content.is_some(), cell)
    }

    pub fn content(&mut self, node: Address, value: &str) -> String {
        self.try_content(node, value).unwrap().text
    }
}
