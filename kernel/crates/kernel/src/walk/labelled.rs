//! Text that also comes as an object `{ value, label }`: its label, or its value if it has none.

use crate::memory::{Address, Memory};

/// Such an object.
pub(super) struct Labelled {
    /// The structural character behind it.
    pub next: Address,
    /// The structural character of the text that it stands for; 0 for null.
    pub shown: Address,
}

impl Memory {
    /// None if the object has another member, one of them twice, or a value that is neither text nor null.
    pub(super) fn pass_labelled(self, mut t: Address, p: Address) -> Option<Labelled> {
        let behind = |t: Address, end: Address| Some(self.end_at(t, end)).filter(|next| *next != 0);
        t += 4;
        if self.u8(self.token(t)) == b'}' {
            let is_empty = self.is_blank(p + 1, self.token(t));
            return if is_empty { Some(Labelled { next: behind(t + 4, self.token(t) + 1)?, shown: 0 }) } else { None };
        }
        // The texts of `label` and of `value`.
        let mut shown = [0; 2];
        let mut is_seen = [false; 2];
        let mut end = p;
        loop {
            let (key, close, colon) = (self.token(t), self.token(t + 4), self.token(t + 8));
            if self.u8(key) != b'"'
                || self.u8(colon) != b':'
                || !self.is_blank(end + 1, key)
                || !self.is_blank(close + 1, colon)
            {
                return None;
            }
            let name = match self.slice(key + 1, close - key - 1) {
                b"label" => 0,
                b"value" => 1,
                _ => return None,
            };
            if is_seen[name] {
                return None;
            }
            is_seen[name] = true;
            t += 12;
            let start = self.skip_blanks(colon + 1);
            if self.u8(start) == b'"' {
                shown[name] = t;
                t = self.end_at(t + 8, self.token(t + 4) + 1);
            } else {
                t = self.walk_null(t, start);
            }
            if t == 0 {
                return None;
            }
            end = self.token(t);
            t += 4;
            if self.u8(end) != b',' {
                break;
            }
        }
        if self.u8(end) != b'}' {
            return None;
        }
        let [label, value] = shown;
        Some(Labelled { next: behind(t, end + 1)?, shown: if label != 0 { label } else { value } })
    }
}
