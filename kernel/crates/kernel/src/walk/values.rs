//! Values against the tree.

use super::Walk;
use crate::layout::*;
use crate::memory::Address;

/// Bits of the kinds of nodes that take any text.
const TEXT_KINDS: u32 = 1 << TEXT_NODE | 1 << REQUIRED_TEXT_NODE | 1 << LOOSE_NODE | 1 << LABELLED_NODE;

impl Walk {
    /// Inlined where values are met: the usual ones need no other call.
    #[inline(always)]
    pub(super) fn walk_value(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let fields = memory.window(node);
        let (kind, first) = (fields.word::<NODE_KIND>(), memory.u8(p));
        if first == b'"' && TEXT_KINDS & 1u32.wrapping_shl(kind as u32) != 0 {
            return self.walk_text(node, t, p);
        }
        if first == b'n' {
            return self.walk_null(kind, t, p);
        }
        match kind {
            INTEGER_NODE | TIMESTAMP_NODE => self.walk_integer(node, t, p),
            CODE_NODE => self.walk_code(node, t, p),
            CHOICE_NODE => self.walk_choice(node, t, p),
            BOOLEAN_NODE => self.walk_boolean(node, t, p),
            FLOAT_NODE if first == b'"' => self.walk_quoted_float(node, t, p),
            LABELLED_NODE if first == b'{' => self.walk_labelled(node, t, p),
            LOOSE_NODE if matches!(first, b't' | b'f') => self.walk_boolean(node, t, p),
            TEXT_NODE | FLOAT_NODE | LABELLED_NODE | LOOSE_NODE => self.walk_float(node, t, p),
            SKIPPED_NODE => self.walk_any(t, p, 0),
            OBJECT_NODE | LOCALIZED_NODE if first == b'{' && fields.u32::<NODE_TARGET_COUNT>() == 0 => {
                self.walk_object(node, t, p)
            }
            LIST_NODE if fields.u32::<NODE_TARGET_COUNT>() == 0 => self.walk_list(node, t, p),
            OBJECT_NODE | LOCALIZED_NODE | LIST_NODE => self.walk_nested(node, t, p),
            _ => 0,
        }
    }

    /// Null is valid in place of most values.
    #[inline(always)]
    fn walk_null(&self, kind: usize, t: Address, p: Address) -> Address {
        if matches!(kind, REFUSED_NODE | REQUIRED_TEXT_NODE) { 0 } else { self.memory.walk_null(t, p) }
    }

    /// What is rare in place of an object, a localized value or a list; and all of them if their JSON text fills cells too.
    fn walk_nested(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let escape = self.escapes;
        let next = match (memory.word(node + NODE_KIND), memory.u8(p)) {
            (LIST_NODE, _) => self.walk_list(node, t, p),
            (_, b'{') => self.walk_object(node, t, p),
            (OBJECT_NODE, _) => self.walk_bare(node, t, p),
            (_, b'[') => memory.walk_empty_list(t, p),
            (_, b'"') => self.walk_plain(node, t, p),
            _ => 0,
        };
        if next == 0 || memory.word(node + NODE_TARGET_COUNT) == 0 || self.put_json(node, t, p, escape) {
            next
        } else {
            0
        }
    }

    /// Text without a locale.
    fn walk_plain(&mut self, node: Address, t: Address, p: Address) -> Address {
        let plain = self.memory.word(node + LOCALIZED_PLAIN);
        if plain == 0 {
            return 0;
        }
        self.memory.reset_ranks(node);
        self.walk_text(plain, t, p)
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
