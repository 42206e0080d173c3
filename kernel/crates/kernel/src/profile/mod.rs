//! Counts of cells, for the profile of a run; src/kernel/profile/state-layout.ts describes the states of columns.

mod bounds;
mod distinct;
mod spread;

use crate::encode::cells::{BOOLEAN, Cell, Cells, DATE, FLOAT, INTEGER, JSON, MILLISECONDS, Rows, SECONDS, TEXT};
use crate::layout::*;
use crate::memory::{Address, Memory};
use bounds::{bound_float, bound_integer, bound_text, key_of};
use distinct::{add_new, add_one, find_value};
use spread::{Spread, begin_spread, bucket_of, bucket_of_digits, measure_float};

/// Counts the cells of rows into the states of their columns.
pub fn profile_cells(memory: Memory, rows: Rows, states: Address) {
    for (index, column) in rows.columns(memory).enumerate() {
        let state = states + index * STATE_BYTES;
        let cells = rows.cells(column);
        let filled = if column.kind == JSON {
            cells.each(memory).flatten().count()
        } else if column.is_list {
            cells.each(memory).flatten().fold(0, |filled, list| {
                add_values(memory, state, column.kind, list.elements());
                filled + 1
            })
        } else {
            add_values(memory, state, column.kind, cells)
        };
        memory.set_word(state + STATE_FILLED, memory.word(state + STATE_FILLED) + filled);
    }
}

/// Counts the values of cells; gives how many there are.
fn add_values(memory: Memory, state: Address, kind: u32, cells: Cells) -> usize {
    if memory.u32(state + STATE_IS_CLOSED) == 0 {
        return add_distinct(memory, state, kind, cells);
    }
    match kind {
        TEXT | BOOLEAN => add_texts(memory, state, cells),
        FLOAT => add_floats(memory, state, cells),
        MILLISECONDS => add_integers::<MILLISECONDS>(memory, state, cells),
        SECONDS => add_integers::<SECONDS>(memory, state, cells),
        DATE => add_integers::<DATE>(memory, state, cells),
        _ => add_integers::<INTEGER>(memory, state, cells),
    }
}

/// The bounds of a value that came before are known.
fn add_distinct(memory: Memory, state: Address, kind: u32, cells: Cells) -> usize {
    let mut filled = 0;
    let mut last = None;
    let mut last_value = 0;
    for (index, cell) in cells.each(memory).enumerate() {
        let Some(cell) = cell else { continue };
        if last == Some(cell) {
            // The same bytes: rows of one parent.
            filled += 1;
            add_one(memory, last_value);
            continue;
        }
        let (address, length) = without_sign_of_zero(memory, kind, cell);
        let mut value = find_value(memory, state, address, length);
        if value == 0 {
            value = add_new(memory, state, address, length);
            if value == 0 {
                begin_spread(memory, state, kind);
                return filled + add_values(memory, state, kind, cells.skip(index));
            }
            match kind {
                TEXT | BOOLEAN => bound_text(memory, state, address, length),
                FLOAT => drop(bound_float(memory, state, address, length)),
                _ => bound_integer(memory, state, address, length, key_of(memory, address, length)),
            }
        }
        filled += 1;
        last = Some(cell);
        last_value = value;
    }
    filled
}

/// What the bounds of a state say about most texts without a look at the whole of them.
struct TextBounds {
    longest: usize,
    prefix: usize,
    least: u64,
    greatest: u64,
}

fn read_text_bounds(memory: Memory, state: Address) -> TextBounds {
    TextBounds {
        longest: memory.word(state + STATE_LONGEST),
        prefix: memory.word(state + STATE_PREFIX),
        least: memory.u64(state + STATE_MIN_KEY),
        greatest: memory.u64(state + STATE_MAX_KEY),
    }
}

fn add_texts(memory: Memory, state: Address, cells: Cells) -> usize {
    let mut filled = 0;
    let mut last = None;
    let mut bounds = read_text_bounds(memory, state);
    for cell in cells.each(memory).flatten() {
        filled += 1;
        if last == Some(cell) {
            continue;
        }
        last = Some(cell);
        let Cell { address, length } = cell;
        let TextBounds { longest, prefix, least, greatest } = bounds;
        // No text has more characters than bytes.
        if length <= longest && length >= prefix && begin_alike(memory, state + STATE_MIN, address, prefix) {
            let key = memory.head(address + prefix, length - prefix);
            if key > least && key < greatest {
                continue;
            }
        }
        bound_text(memory, state, address, length);
        bounds = read_text_bounds(memory, state);
    }
    filled
}

/// Compares whole words.
#[inline(always)]
fn begin_alike(memory: Memory, one: Address, other: Address, bytes: usize) -> bool {
    (0..bytes).step_by(8).all(|at| memory.u64(one + at) == memory.u64(other + at))
}

/// A kind that is known beforehand has a loop of its own.
#[inline(never)]
fn add_integers<const KIND: u32>(memory: Memory, state: Address, cells: Cells) -> usize {
    let mut filled = 0;
    let mut spread = Spread::read(memory, state);
    let read_bounds = || (memory.i64(state + STATE_MIN_KEY), memory.i64(state + STATE_MAX_KEY));
    let (mut least, mut greatest) = read_bounds();
    for Cell { address, length } in cells.each(memory).flatten() {
        filled += 1;
        let key = key_of(memory, address, length);
        if key <= least || key >= greatest {
            bound_integer(memory, state, address, length, key);
            spread.reach(bucket_of(KIND, key), bucket_of(KIND, least), bucket_of(KIND, greatest));
            (least, greatest) = read_bounds();
        }
        let bucket = match KIND {
            INTEGER if key >= 100 => bucket_of_digits(memory, address, length),
            _ => bucket_of(KIND, key),
        };
        spread.add(key, bucket, 1);
    }
    spread.save(state);
    filled
}

#[inline(never)]
fn add_floats(memory: Memory, state: Address, cells: Cells) -> usize {
    let mut filled = 0;
    let mut spread = Spread::read(memory, state);
    for cell in cells.each(memory).flatten() {
        filled += 1;
        let (address, length) = without_sign_of_zero(memory, FLOAT, cell);
        let [least, greatest] = [STATE_MIN_KEY, STATE_MAX_KEY].map(|at| memory.f64(state + at));
        let value = bound_float(memory, state, address, length);
        let key = measure_float(value);
        let bucket = bucket_of(FLOAT, key);
        if value < least || value > greatest {
            let [first, last] = [least, greatest].map(|bound| bucket_of(FLOAT, measure_float(bound)));
            spread.reach(bucket, first, last);
        }
        spread.add(key, bucket, 1);
    }
    spread.save(state);
    filled
}

/// A float's zero has no sign here.
#[inline(always)]
fn without_sign_of_zero(memory: Memory, kind: u32, Cell { address, length }: Cell) -> (Address, usize) {
    if kind == FLOAT && memory.is_minus_zero(address, length) { (address + 1, length - 1) } else { (address, length) }
}
