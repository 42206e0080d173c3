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
#[cold]
#[inline(never)]
pub(super) fn begin_spread(memory: Memory, state: Address, kind: u32) {
    if kind == TEXT || kind == BOOLEAN {
        return;
    }
    let mut spread = Spread::read(memory, state);
    let [least, greatest] = [STATE_MIN_KEY, STATE_MAX_KEY].map(|at| match kind {
        FLOAT => measure_float(memory.f64(state + at)),
        _ => memory.i64(state + at),
    });
    spread.clear(bucket_of(kind, least), bucket_of(kind, greatest) + 1);
    for (Cell { address, length }, times) in each_value(memory, state) {
        let key = match kind {
            FLOAT => measure_float(parse_float(memory, address, length)),
            _ => key_of(memory, address, length),
        };
        spread.add(key, bucket_of(kind, key), times);
    }
    spread.save(state);
}

/// The buckets from that of the least value to that of the greatest are in use; all others may hold anything.
pub(super) struct Spread {
    memory: Memory,
    buckets: Address,
    sum: i128,
}

impl Spread {
    pub fn read(memory: Memory, state: Address) -> Self {
        Self { memory, buckets: memory.word(state + STATE_BUCKETS), sum: memory.i128(state + STATE_SUM) }
    }

    #[inline(always)]
    pub fn add(&mut self, key: i64, bucket: usize, times: u32) {
        let at = self.buckets + bucket * 4;
        self.memory.set_u32(at, self.memory.u32(at).wrapping_add(times));
        self.sum = self.sum.wrapping_add(i128::from(key.clamp(-TOO_LONG, TOO_LONG)) * i128::from(times));
    }

    /// Has a bucket in use, beside those from a first to a last one.
    pub fn reach(&self, bucket: usize, first: usize, last: usize) {
        if bucket < first {
            self.clear(bucket, first);
        } else if bucket > last {
            self.clear(last + 1, bucket + 1);
        }
    }

    fn clear(&self, from: usize, end: usize) {
        self.memory.fill(self.buckets + from * 4, 0, (end - from) * 4);
    }

    pub fn save(self, state: Address) {
        self.memory.set_i128(state + STATE_SUM, self.sum);
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

/// The bucket of a number of three digits at least, which needs no division: its text has the first three.
#[inline(always)]
pub(super) fn bucket_of_digits(memory: Memory, address: Address, length: usize) -> usize {
    if length > LONGEST_NUMBER {
        return NUMBER_BUCKETS - 1;
    }
    let digits = memory.u32(address) as usize & 0x0f_0f_0f;
    let head = (digits & 0xff) * 100 + (digits >> 8 & 0xff) * 10 + (digits >> 16);
    BUCKETS_OF_SIGN + bucket_of_head(head, length - 3)
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
    bucket_of_head((number / TENS[cut]) as usize, cut)
}

/// The bucket of a number that begins with three digits, of which more are cut.
#[inline(always)]
fn bucket_of_head(head: usize, cut: usize) -> usize {
    SHORT_NUMBERS + LONG_NUMBERS * cut + usize::from(STEPS[head - 100])
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
