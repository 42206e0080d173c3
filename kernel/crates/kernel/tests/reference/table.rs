//! Tables of cells that bytes choose, as JavaScript lays them out.

use super::{Choices, Space};
use kernel::encode::cells::*;
use kernel::memory::Address;

pub type Text = Option<Vec<u8>>;

pub enum Value {
    One(Text),
    Many(Option<Vec<Text>>),
}

pub struct ColumnOf {
    pub kind: u32,
    pub is_list: bool,
    pub scale: usize,
    pub precision: usize,
    pub key: Vec<u8>,
}

impl ColumnOf {
    pub fn is_text(&self) -> bool {
        self.kind == TEXT || self.kind == JSON
    }
}

pub struct Table {
    pub columns: Vec<ColumnOf>,
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    pub fn choose(choices: &mut Choices) -> Self {
        let column = |choices: &mut Choices, index: usize| {
            let kind = choices.below(9) as u32;
            let key = format!("{}\"{}\":", if index == 0 { '{' } else { ',' }, "key".repeat(choices.below(12)));
            ColumnOf {
                kind,
                is_list: kind != JSON && choices.is(),
                scale: choices.below(39),
                precision: 1 + choices.below(38),
                key: key.into_bytes(),
            }
        };
        let columns: Vec<_> = (0..1 + choices.below(4)).map(|index| column(choices, index)).collect();
        let text = |choices: &mut Choices, kind| (choices.below(4) != 0).then(|| choose_text(choices, kind));
        let value = |choices: &mut Choices, column: &ColumnOf| match column.is_list {
            false => Value::One(text(choices, column.kind)),
            true => {
                Value::Many(choices.is().then(|| (0..choices.below(5)).map(|_| text(choices, column.kind)).collect()))
            }
        };
        let rows = (0..choices.below(6)).map(|_| columns.iter().map(|each| value(choices, each)).collect()).collect();
        Self { columns, rows }
    }

    /// Puts cells, rows and columns into a memory.
    pub fn put(&self, space: &mut Space) -> Rows {
        let mut words = vec![];
        for value in self.rows.iter().flatten() {
            let [address, length] = match value {
                Value::One(text) => put_cell(space, text),
                Value::Many(None) => put_cell(space, &None),
                Value::Many(Some(texts)) => {
                    let cells: Vec<_> = texts.iter().flat_map(|text| put_cell(space, text)).collect();
                    [space.put_words(&cells), texts.len()]
                }
            };
            words.extend([address, length]);
        }
        let address = space.put_words(&words);
        let mut columns = vec![];
        let mut keys = vec![];
        let keys_start = self.columns.len() * 28;
        for (index, column) in self.columns.iter().enumerate() {
            let ColumnOf { kind, is_list, scale, precision, ref key } = *column;
            let key_address = keys_start + keys.len();
            columns.extend([index * 8, kind as usize, is_list.into(), scale, precision, key_address, key.len()]);
            keys.extend_from_slice(key);
        }
        let bytes: Vec<_> = columns.iter().flat_map(|word| (*word as u32).to_le_bytes()).chain(keys).collect();
        let row_bytes = self.columns.len() * 8;
        let columns = space.put(&bytes);
        Rows { address, count: self.rows.len(), row_bytes, columns, column_count: self.columns.len() }
    }
}

fn put_cell(space: &mut Space, text: &Text) -> [Address; 2] {
    match text {
        None => [0, u32::MAX as usize],
        Some(text) => [space.put(text), text.len()],
    }
}

/// A value as the walk leaves it in a cell.
fn choose_text(choices: &mut Choices, kind: u32) -> Vec<u8> {
    const SIGNS: &[u8] = b"\"\\\n\r\t,;|'=+-@\0\x08\x1fa\x7f\xef\xbc\x9d";
    match kind {
        TEXT | JSON => {
            let length = choices.below(70);
            let pick = |choices: &mut Choices| match choices.byte() {
                each @ 0..64 => SIGNS[usize::from(each) % SIGNS.len()],
                each => each,
            };
            (0..length).map(|_| pick(choices)).collect()
        }
        BOOLEAN => if choices.is() { &b"true"[..] } else { b"false" }.to_vec(),
        FLOAT => match choices.below(8) {
            0 => b"-0".to_vec(),
            1 => b"Infinity".to_vec(),
            2 => b"NaN".to_vec(),
            3 => format!("{}e{}", choose_integer(choices, 20), choices.byte() as i8).into_bytes(),
            form => {
                let digits = choose_integer(choices, 20);
                let fraction: String =
                    (0..1 + choices.below(19)).map(|_| (b'0' + choices.byte() % 10) as char).collect();
                let exponent = if form == 4 { format!("e+{}", choices.below(30)) } else { String::new() };
                format!("{digits}.{fraction}{exponent}").into_bytes()
            }
        },
        MILLISECONDS => choose_integer(choices, 18).into_bytes(),
        SECONDS => choose_integer(choices, 14).into_bytes(),
        DATE => choose_integer(choices, 8).into_bytes(),
        DECIMAL => choose_integer(choices, 40).into_bytes(),
        _ => choose_integer(choices, 21).into_bytes(),
    }
}

fn choose_integer(choices: &mut Choices, most_digits: usize) -> String {
    let digits: String = (0..choices.below(most_digits + 1)).map(|_| (b'0' + choices.byte() % 10) as char).collect();
    match digits.trim_start_matches('0') {
        "" => "0".to_owned(),
        digits => format!("{}{digits}", if choices.is() { "-" } else { "" }),
    }
}
