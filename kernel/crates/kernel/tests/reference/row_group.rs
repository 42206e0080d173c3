//! Row groups of record batches that bytes choose, whole or damaged.

use super::rows::{Form, encode};
use super::table::{ColumnOf, Table, Value};
use super::{Choices, Space};
use kernel::encode::cells::*;
use kernel::layout::*;
use kernel::memory::{Address, Memory};
use kernel::parquet::{Refusal, RowGroup};

const ROOM: usize = 1 << 17;
const BATCH_ROOM: usize = 1 << 15;

/// Rows of a batch.
struct Part {
    bytes: Vec<u8>,
    from: usize,
    to: usize,
}

/// Pages, and the facts of each chunk.
type Encoded = Result<(Vec<u8>, Vec<Chunk>), Refusal>;

#[derive(Clone, Debug, PartialEq)]
struct Chunk {
    dictionary_bytes: usize,
    bounds: Bounds,
    pages: Vec<Page>,
}

#[derive(Clone, Debug, PartialEq)]
struct Page {
    bytes: usize,
    slots: usize,
    nulls: usize,
    first_row: usize,
    bounds: Bounds,
}

/// What they are, the least and the greatest.
type Bounds = (usize, Vec<u8>, Vec<u8>);

/// Encodes batches with room enough and with less, and expects that nothing outside the room is written. Batches that are whole have
/// to be encoded; of others no more is asked.
pub fn check_row_group(choices: &mut Choices) {
    let room = choices.word() * 2;
    let is_compressed = choices.is();
    let table = Table::choose(choices);
    let Ok(bytes) = encode(&table, Form::Batch, BATCH_ROOM) else { return };
    let rows = table.rows.len();
    let (from, to) = (choices.below(rows + 1), choices.below(rows + 1));
    let mut part = Part { bytes, from: from.min(to), to: from.max(to) };
    let expected: Vec<_> = (0..table.columns.len()).map(|column| count_slots(&table, &part, column)).collect();
    let is_damaged = choices.is();
    if is_damaged {
        for _ in 0..1 + choices.below(4) {
            damage(choices, &mut part);
        }
    }
    let times = choices.below(3);
    let parts: Vec<_> = (0..times).map(|_| &part).collect();
    let whole = encode_group(&table.columns, &parts, is_compressed, ROOM);
    if !is_damaged {
        check_facts(&whole.clone().expect("expected pages"), &expected, times);
    }
    let limited = encode_group(&table.columns, &parts, is_compressed, room);
    assert!(limited == whole || limited == Err(Refusal::NoRoom));
}

/// Changes a word of a batch, or which of its rows count.
fn damage(choices: &mut Choices, part: &mut Part) {
    let value = match choices.below(4) {
        0 => choices.below(16),
        1 => choices.word(),
        2 => part.bytes.len(),
        _ => u32::MAX as usize - choices.below(16),
    };
    match choices.below(16) {
        0 => part.from = value,
        1 => part.to = value,
        2 => part.bytes.truncate(value),
        _ => {
            let at = (choices.word() % part.bytes.len().max(1)) & !3;
            if let Some(word) = part.bytes.get_mut(at..at + 4) {
                word.copy_from_slice(&(value as u32).to_le_bytes());
            }
        }
    }
}

fn encode_group(columns: &[ColumnOf], parts: &[&Part], is_compressed: bool, room: usize) -> Encoded {
    let mut space = Space::new(1 << 19);
    let memory = space.memory;
    let words: Vec<_> = columns.iter().flat_map(column_words).collect();
    let batches: Vec<_> = parts.iter().flat_map(|part| [part.bytes.len(), part.from, part.to]).collect();
    let all: Vec<_> = parts.iter().flat_map(|part| part.bytes.clone()).collect();
    let (columns_at, batches_at) = (space.put_words(&words), space.put_words(&batches));
    let bytes = space.put(&all);
    let facts = space.take(room / 8);
    let pages = space.take(0);
    let group = RowGroup {
        columns: columns_at,
        column_count: columns.len(),
        batches: batches_at,
        batch_count: parts.len(),
        bytes,
        facts,
        pages,
        limit: pages + room,
        is_compressed,
    };
    let before = space.before(facts);
    let length = group.encode(memory, |page, room| {
        memory.fill(room.address, 7, room.length);
        memory.copy(room.address, page.address, page.length);
        page.length
    });
    assert!(space.before(facts) == before, "expected nothing to be written before the room");
    assert!(space.is_untouched(group.limit), "expected nothing to be written behind the limit");
    let mut facts = Facts { memory, at: facts };
    length.map(|length| (memory.slice(pages, length).to_vec(), columns.iter().map(|_| facts.chunk()).collect()))
}

struct Facts {
    memory: Memory,
    at: Address,
}

impl Facts {
    fn chunk(&mut self) -> Chunk {
        let [dictionary_bytes, _, pages] = self.words();
        Chunk { dictionary_bytes, bounds: self.bounds(), pages: (0..pages).map(|_| self.page()).collect() }
    }

    fn page(&mut self) -> Page {
        let [bytes, _, slots, nulls, first_row] = self.words();
        Page { bytes, slots, nulls, first_row, bounds: self.bounds() }
    }

    fn bounds(&mut self) -> Bounds {
        let [are, min, max] = self.words();
        let bytes = self.memory.slice(self.at, min + max).to_vec();
        self.at += bytes.len().next_multiple_of(4);
        (are, bytes[..min].to_vec(), bytes[min..].to_vec())
    }

    fn words<const N: usize>(&mut self) -> [usize; N] {
        self.at += N * 4;
        std::array::from_fn(|index| self.memory.word(self.at - (N - index) * 4))
    }
}

fn column_words(column: &ColumnOf) -> [usize; 3] {
    let (kind, width) = match column.kind {
        TEXT | JSON => (TEXT_COLUMN, 0),
        BOOLEAN => (BOOLEAN_COLUMN, 0),
        DATE => (INT32_COLUMN, 0),
        FLOAT => (FLOAT64_COLUMN, 0),
        DECIMAL if column.precision <= 9 => (DECIMAL32_COLUMN, 0),
        DECIMAL if column.precision <= 18 => (DECIMAL64_COLUMN, 0),
        DECIMAL => (LONG_DECIMAL_COLUMN, 16),
        _ => (INT64_COLUMN, 0),
    };
    [kind, column.is_list.into(), width]
}

/// The slots of a column, and how many of them are null.
fn count_slots(table: &Table, part: &Part, column: usize) -> [usize; 2] {
    let slots = table.rows[part.from..part.to].iter().flat_map(|row| match &row[column] {
        Value::One(text) => vec![text.is_none()],
        Value::Many(Some(texts)) if !texts.is_empty() => texts.iter().map(|text| text.is_none()).collect(),
        Value::Many(_) => vec![true],
    });
    slots.fold([0, 0], |[slots, nulls], is_null| [slots + 1, nulls + usize::from(is_null)])
}

/// Each column has one page here, maybe after a dictionary.
fn check_facts((bytes, chunks): &(Vec<u8>, Vec<Chunk>), expected: &[[usize; 2]], times: usize) {
    let mut length = 0;
    for (chunk, [slots, nulls]) in chunks.iter().zip(expected) {
        let [page] = &chunk.pages[..] else { panic!("expected one page, got {}", chunk.pages.len()) };
        assert_eq!([page.slots, page.nulls, page.first_row], [slots * times, nulls * times, 0]);
        assert_eq!(page.bounds, chunk.bounds);
        assert!(page.bounds.0 == 0 || page.slots > page.nulls);
        length += chunk.dictionary_bytes + page.bytes;
    }
    assert_eq!(length, bytes.len());
}
