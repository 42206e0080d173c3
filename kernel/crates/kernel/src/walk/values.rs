//! Values against the tree.

use super::Walk;
use crate::layout::*;
use crate::memory::Address;

impl Walk {
    pub(super) fn walk_value(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let first = memory.u8(p);
        match (memory.word(node + NODE_KIND), first) {
            (TEXT_NODE | REQUIRED_TEXT_NODE | LOOSE_NODE | LABELLED_NODE, b'"') => self.walk_text(node, t, p),
            (CODE_NODE, b'"') => self.walk_code_text(node, t, p),
            (CHOICE_NODE, b'"') => self.walk_choice_text(node, t, p),
            (FLOAT_NODE, b'"') => self.walk_quoted_float(node, t, p),
            (OBJECT_NODE | LOCALIZED_NODE | LIST_NODE, _) => {
                if first == b'n' || memory.u32(node + NODE_TARGET_COUNT) == 0 {
                    self.walk_nested(node, t, p)
                } else {
                    self.walk_kept(node, t, p)
                }
            }
            (SKIPPED_NODE, _) => self.walk_any(t, p, 0),
            (REFUSED_NODE | REQUIRED_TEXT_NODE, _) => 0,
            (_, b'n') => memory.walk_null(t, p),
            (INTEGER_NODE | TIMESTAMP_NODE, _) => self.walk_integer(node, t, p),
            (TEXT_NODE | FLOAT_NODE, _) => self.walk_float(node, t, p),
            (CODE_NODE, b'[') if memory.u32(node + CODE_MAY_BE_LIST) != 0 => self.walk_code_list(node, t, p),
            (CODE_NODE, b'[') => 0,
            (CODE_NODE, _) => self.walk_code_number(node, t, p),
            (BOOLEAN_NODE, _) | (CHOICE_NODE | LOOSE_NODE, b't' | b'f') => self.walk_boolean(node, t, p),
            (CHOICE_NODE | LOOSE_NODE, _) => self.walk_float(node, t, p),
            (LABELLED_NODE, b'{') => self.walk_labelled(node, t, p),
            (LABELLED_NODE, _) => self.walk_float(node, t, p),
            _ => 0,
        }
    }

    fn walk_nested(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        match (memory.word(node + NODE_KIND), memory.u8(p)) {
            (OBJECT_NODE, b'{') => self.walk_object(node, t, p),
            (LIST_NODE, _) => self.walk_list(node, t, p),
            (OBJECT_NODE, b'n') => memory.walk_null(t, p),
            (OBJECT_NODE, _) => self.walk_bare(node, t, p),
            (_, b'{') => {
                memory.reset_ranks(node);
                self.walk_object(node, t, p)
            }
            (_, b'[') => memory.walk_empty_list(t, p),
            (_, b'"') => {
                let plain = memory.word(node + LOCALIZED_PLAIN);
                if plain == 0 {
                    return 0;
                }
                memory.reset_ranks(node);
                self.walk_text(plain, t, p)
            }
            _ => memory.walk_null(t, p),
        }
    }

    /// Walks a value whose JSON text fills cells too.
    fn walk_kept(&mut self, node: Address, t: Address, p: Address) -> Address {
        let escape = self.escapes;
        let next = self.walk_nested(node, t, p);
        if next != 0 && self.put_json(node, t, p, escape) { next } else { 0 }
    }

    fn walk_labelled(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let Some(labelled) = memory.pass_labelled(t, p) else { return 0 };
        if self.has_escape(memory.token(labelled.next)) {
            return 0;
        }
        if labelled.shown != 0 {
            let start = memory.token(labelled.shown) + 1;
            self.put(node, start, memory.token(labelled.shown + 4) - start);
        }
        labelled.next
    }

    /// The id of an object, a text, or a list of texts, in place of the object.
    fn walk_bare(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        match memory.u8(p) {
            b'[' => {
                let list = memory.word(node + OBJECT_BARE_LIST);
                if list == 0 || memory.u8(memory.token(t + 4)) == b']' {
                    return memory.walk_empty_list(t, p);
                }
                self.walk_list(list, t, p)
            }
            b'"' => {
                let text = memory.word(node + OBJECT_BARE_TEXT);
                if text == 0 { 0 } else { self.walk_text(text, t, p) }
            }
            _ => {
                let bare = memory.word(node + OBJECT_BARE);
                if bare == 0 { 0 } else { self.walk_integer(bare, t, p) }
            }
        }
    }
}
