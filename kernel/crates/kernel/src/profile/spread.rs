//! How the numbers and times of a column are spread, once it counts no distinct values any more: a count for each bucket, and
//! the sum of numbers. src/kernel/profile/state-layout.ts says what the buckets are.

use super::bounds::key_of;
use super::distinct::each_value;
use crate::encode::cells::{BOOLEAN, Cell, DATE, FLOAT, MILLISECONDS, SECONDS, TEXT};
use crate::layout::*;
use crate::memory::{Address, Memory};
use crate::numbers::parse_float;

/// The least number that is too long for a bucket of its own.
const TOO_LONG: i64 = 10i64.pow(LONGEST_NUMBER as u32);

/// Begins with the distinct values, which are counted no further.
pub(super) fn begin_spread(memory: Memory, state: Address, kind: u32) {
    let buckets = match kind {
        TEXT | BOOLEAN => return,
        MILLISECONDS | SECONDS | DATE => DAY_BUCKETS,
        _ => NUMBER_BUCKETS,
    };
    memory.fill(memory.word(state + STATE_BUCKETS), 0, buckets * 4);
    let mut spread = Spread::read(memory, state);
    for (Cell { address, length }, times) in each_value(memory, state) {
        let key = match kind {
            FLOAT => measure_float(parse_float(memory, address, length)),
            _ => key_of(memory, address, length),
        };
        spread.add(key, bucket_of(kind, key), times);
    }
    spread.save(state);
}

pub(super) struct Spread {
    memory: Memory,
    buckets: Address,
    sum: i128,
}

impl Spread {
    pub fn read(memory: Memory, state: Address) -> Self {
        let [low, high] = [memory.u64(state + STATE_SUM), memory.u64(state + STATE_SUM + 8)];
        Self {
            memory,
            buckets: memory.word(state + STATE_BUCKETS),
            sum: (i128::from(high as i64) << 64) | i128::from(low),
        }
    }

    #[inline(always)]
    pub fn add(&mut self, key: i64, bucket: usize, times: u32) {
        let at = self.buckets + bucket * 4;
        self.memory.set_u32(at, self.memory.u32(at).wrapping_add(times));
        self.sum = self.sum.wrapping_add(i128::from(key.clamp(-TOO_LONG, TOO_LONG)) * i128::from(times));
    }

    pub fn save(self, state: Address) {
        self.memory.set_u64(state + STATE_SUM, self.sum as u64);
        self.memory.set_u64(state + STATE_SUM + 8, (self.sum >> 64) as u64);
    }
}

#[inline(always)]
pub(super) fn bucket_of(kind: u32, key: i64) -> usize {
    match kind {
        MILLISECONDS => day_bucket(key.div_euclid(86_400_000)),
        SECONDS => day_bucket(key.div_euclid(86_400)),
        DATE => day_bucket(key),
        _ => number_bucket(key),
    }
}

/// The nearest number of millionths; halves are rounded away from zero.
#[inline(always)]
pub(super) fn measure_float(value: f64) -> i64 {
    let millionths = value * 1e6;
    (millionths + if millionths < 0.0 { -0.5 } else { 0.5 }) as i64
}

#[inline(always)]
fn number_bucket(key: i64) -> usize {
    if key < 0 { BUCKETS_OF_SIGN - 1 - cut_digits(!key) } else { BUCKETS_OF_SIGN + cut_digits(key) }
}

/// The bucket of a number from 0 on among those of its sign.
#[inline(always)]
fn cut_digits(number: i64) -> usize {
    if number < SHORT_NUMBERS as i64 {
        return number as usize;
    }
    let number = number.min(TOO_LONG) as u64;
    let cut = number.ilog10() as usize - 2;
    SHORT_NUMBERS + LONG_NUMBERS * cut + usize::from(STEPS[(number / TENS[cut]) as usize - 100])
}

/// The step of each number of three digits.
const STEPS: [u8; 900] = {
    let mut steps = [0; 900];
    let mut at = 0;
    while at < steps.len() {
        steps[at] = match at {
            ..100 => at / 2,
            100..400 => 50 + (at - 100) / 5,
            _ => 110 + (at - 400) / 10,
        } as u8;
        at += 1;
    }
    steps
};

const TENS: [u64; LONGEST_NUMBER - 1] = {
    let mut tens = [1; LONGEST_NUMBER - 1];
    let mut power = 1;
    while power < tens.len() {
        tens[power] = tens[power - 1] * 10;
        power += 1;
    }
    tens
};

#[inline(always)]
fn day_bucket(day: i64) -> usize {
    (day.clamp(-1, COUNTED_DAYS as i64) + 1) as usize
}
