//! The chunk of a column: its values gathered from all batches, then its pages.

use super::batches::Column;
use super::dictionary::{self, Dictionary};
use super::hybrid::pack;
use super::levels::{count_level, skip_rows, write_list_levels, write_scalar_levels};
use super::page::{Header, PLAIN, RLE_DICTIONARY, Written};
use super::room::Room;
use super::values::Values;
use super::{Output, Refusal, RowGroup};
use crate::memory::{Address, Bytes, Memory};

const MOST_PAGE_ROWS: usize = 20_000;
const MOST_PAGE_BYTES: usize = 1 << 20;

pub fn encode<Compress: FnMut(Bytes, Bytes) -> usize>(
    memory: Memory,
    group: RowGroup,
    column: Column,
    output: &mut Output<Compress>,
) -> Result<(), Refusal> {
    let Output { room, facts, pages } = output;
    let slots = Slots::gather(memory, group, column, room)?;
    let values = slots.values;
    let plain_bytes = values.plain_bytes();
    let dictionary = dictionary::find(values, plain_bytes, room)?;
    let (encoding, paged_bytes) = if dictionary.is_some() { (RLE_DICTIONARY, 0) } else { (PLAIN, plain_bytes) };
    let written = match dictionary {
        None => Written::default(),
        Some(found) => pages.write(room, found.page, Header::Dictionary { values: found.values.count() })?,
    };
    let at = room.take(2 * slots.count as u64 + plain_bytes.max(values.count() * 4) as u64)?;
    let page_rows = choose_page_rows(slots.rows, paged_bytes);
    let page_count = slots.rows.div_ceil(page_rows).max(1);
    facts.add([written.bytes, written.raw_bytes, page_count])?;
    let bounds = facts.at;
    facts.add_bounds(dictionary.map_or(values, |found| found.values))?;
    let bounds_end = facts.at;
    let mut part = Part::default();
    for index in 0..page_count {
        part = slots.next_part(part, index * page_rows, page_rows);
        let page = Bytes { address: at, length: slots.write_page(part, dictionary, at) - at };
        let count = part.slot_end - part.slot;
        let written = pages.write(room, page, Header::Data { slots: count, encoding })?;
        let nulls = count - (part.value_end - part.value);
        facts.add([written.bytes, written.raw_bytes, count, nulls, index * page_rows])?;
        if page_count == 1 {
            facts.repeat(bounds, bounds_end)?;
        } else {
            facts.add_bounds(values.part(part.value, part.value_end))?;
        }
    }
    Ok(())
}

/// Divides rows equally into pages of about 1 MiB at most.
fn choose_page_rows(rows: usize, plain_bytes: usize) -> usize {
    let pages = rows.div_ceil(MOST_PAGE_ROWS).max(plain_bytes.div_ceil(MOST_PAGE_BYTES)).max(1);
    rows.div_ceil(pages).max(1)
}

/// The slots and values of one page, counted from the beginning of the column.
#[derive(Clone, Copy, Default)]
struct Part {
    slot: usize,
    slot_end: usize,
    value: usize,
    value_end: usize,
}

/// The rows of a column: a slot a row, or a slot an element. Levels and repetitions have a byte a slot.
#[derive(Clone, Copy)]
struct Slots {
    memory: Memory,
    is_list: bool,
    rows: usize,
    count: usize,
    levels: Address,
    repetitions: Address,
    values: Values,
}

impl Slots {
    fn gather(memory: Memory, group: RowGroup, column: Column, room: &mut Room) -> Result<Self, Refusal> {
        let Column { kind, is_list, .. } = column;
        let (mut rows, mut most_values) = (0u64, 0u64);
        for slice in group.slices(memory, column) {
            let (from, to) = slice.range(slice.lists()?);
            rows += slice.rows() as u64;
            most_values += (to - from) as u64;
        }
        let most = if is_list { rows + most_values } else { rows };
        let levels = room.take(most)?;
        let repetitions = if is_list { room.take(most)? } else { 0 };
        let start = room.take(most_values * kind.width() as u64)?;
        let (mut count, mut end) = (0, start);
        for slice in group.slices(memory, column) {
            let lists = slice.lists()?;
            let source = slice.values(lists)?;
            if let Some(lists) = lists {
                count += write_list_levels(memory, lists, levels + count, repetitions + count);
            } else {
                write_scalar_levels(memory, source.validity, source.from, source.to, levels + count);
                count += slice.rows();
            }
            end = source.gather(memory, kind, end);
        }
        let values = Values { memory, kind, start, end };
        Ok(Self { memory, is_list, rows: rows as usize, count, levels, repetitions, values })
    }

    /// The part behind another, of `rows` rows from `row` on.
    fn next_part(self, Part { slot_end: slot, value_end: value, .. }: Part, row: usize, rows: usize) -> Part {
        let Self { memory, levels, repetitions, count, .. } = self;
        if row + rows >= self.rows {
            return Part { slot, slot_end: count, value, value_end: self.values.count() };
        }
        let slot_end = if self.is_list { skip_rows(memory, repetitions, slot, rows, count) } else { slot + rows };
        let present = if self.is_list { 3 } else { 1 };
        let values = count_level(memory, levels + slot, levels + slot_end, present);
        Part { slot, slot_end, value, value_end: value + values }
    }

    /// Writes the levels, each after their length, then values or, after their bit width, indexes. Returns the end.
    fn write_page(self, part: Part, dictionary: Option<Dictionary>, mut to: Address) -> Address {
        let Part { slot, slot_end, value, value_end } = part;
        if self.is_list {
            to = self.write_levels(self.repetitions + slot, slot_end - slot, 1, to);
        }
        to = self.write_levels(self.levels + slot, slot_end - slot, if self.is_list { 2 } else { 1 }, to);
        match dictionary {
            None => self.values.part(value, value_end).write_plain(to),
            Some(Dictionary { bits, indexes, .. }) => {
                let to = self.memory.put(to, bits as u8);
                pack::<u32>(self.memory, indexes + value * 4, value_end - value, bits, to)
            }
        }
    }

    fn write_levels(self, levels: Address, count: usize, bits: usize, to: Address) -> Address {
        let end = pack::<u8>(self.memory, levels, count, bits, to + 4);
        self.memory.set_word(to, end - to - 4);
        end
    }
}
