//! Lists: cells are appended and rows begun element by element.

use super::Walk;
use crate::layout::*;
use crate::memory::Address;

impl Walk {
    pub(super) fn walk_list(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let fields = memory.window(node);
        let is_list = memory.u8(p) == b'[';
        if !is_list && fields.u32::<LIST_OR_ONE>() == 0 {
            return 0;
        }
        let (opens, open_count) = (fields.word::<LIST_OPENS>(), fields.word::<LIST_OPEN_COUNT>());
        memory.open_lists(opens, open_count);
        memory.reset_picks(node);
        let next = if is_list { self.walk_elements(node, t, p) } else { self.walk_one(node, t, p) };
        memory.close_lists(opens, open_count);
        next
    }

    #[inline(always)]
    fn walk_elements(&mut self, node: Address, mut t: Address, p: Address) -> Address {
        let memory = self.memory;
        if memory.is_empty_list(t, p) {
            return memory.walk_empty_list(t, p);
        }
        t += 4;
        let mut end = p;
        let mut index = 0;
        loop {
            t = self.walk_element(node, index, t, memory.skip_blanks(end + 1));
            if t == 0 {
                return 0;
            }
            index += 1;
            end = memory.token(t);
            t += 4;
            if memory.u8(end) != b',' {
                break;
            }
        }
        if memory.u8(end) == b']' { memory.end_at(t, end + 1) } else { 0 }
    }

    /// A value in place of a list of it.
    #[inline(never)]
    fn walk_one(&mut self, node: Address, t: Address, p: Address) -> Address {
        self.walk_element(node, 0, t, p)
    }

    #[inline(always)]
    fn walk_element(&mut self, node: Address, index: usize, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let fields = memory.window(node);
        let special = fields.word::<LIST_SPECIAL>();
        let element = fields.word::<LIST_ELEMENTS>() + index.min(special) * ELEMENT_BYTES;
        let position = fields.word::<LIST_POSITION>();
        if position != 0 {
            memory.set_word(position, index + 1);
        }
        let value = memory.window(element).word::<ELEMENT_NODE>();
        let is_null = match memory.u8(p) {
            b'n' => true,
            b'[' => memory.word(value + NODE_KIND) == CODE_NODE && memory.is_empty_list(t, p),
            _ => false,
        };
        if is_null && !self.note(node, NULL_ELEMENT_NOTE, p, 0) {
            return 0;
        }
        if !self.begin_element(element, is_null) {
            return 0;
        }
        let has_picks = !is_null && fields.u32::<LIST_PICK_COUNT>() != 0;
        if has_picks {
            memory.begin_picks(node);
        }
        let next = self.walk_value(value, t, p);
        if has_picks {
            memory.resolve_picks(node);
        }
        next
    }
}
