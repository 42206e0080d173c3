//! Times and dates as text, by the proleptic Gregorian calendar.

use crate::layout::{FIRST_DAY, FIRST_MILLISECOND, LAST_DAY, LAST_MILLISECOND};
use crate::memory::{Address, Memory};

/// True for milliseconds since 1970 in the years 1 to 9999.
#[inline(always)]
pub(super) fn is_date_time(milliseconds: i64) -> bool {
    (FIRST_MILLISECOND..=LAST_MILLISECOND).contains(&milliseconds)
}

/// True for days since 1970 in the years 1 to 9999.
#[inline(always)]
pub(super) fn is_day(days: i64) -> bool {
    (FIRST_DAY..=LAST_DAY).contains(&days)
}

/// Writes `2026-01-02T03:04:05Z`, with three digits of milliseconds if there are any. Returns the end.
pub(super) fn format_timestamp(memory: Memory, to: Address, seconds: i64, milliseconds: u32) -> Address {
    // A day has 675 times 128 seconds: divided by 128 they fit into 32 bits, whose divisions are far cheaper.
    let days = ((seconds >> 7) as i32).div_euclid(675);
    let of_day = (seconds - i64::from(days) * 86_400) as u32;
    let mut end = memory.put(format_date(memory, to, days), b'T');
    end = memory.put(put_pair(memory, end, of_day / 3600), b':');
    end = memory.put(put_pair(memory, end, of_day / 60 % 60), b':');
    end = put_pair(memory, end, of_day % 60);
    if milliseconds != 0 {
        end = put_pair(memory, memory.put(end, b'.'), milliseconds / 10);
        end = memory.put(end, b'0' + (milliseconds % 10) as u8);
    }
    memory.put(end, b'Z')
}

/// Writes `2026-01-02`. Returns the end.
///
/// By the algorithm of Neri and Schneider (Euclidean affine functions, 2022): the calendar begins its years in March, which puts the
/// leap day at their end.
pub(super) fn format_date(memory: Memory, to: Address, days: i32) -> Address {
    let quarters = 4 * (days + 719_468) as u32 + 3;
    let century = quarters / 146_097;
    let product = u64::from((quarters % 146_097) | 3) * 2_939_745;
    let day_of_year = product as u32 / 2_939_745 / 4;
    let month_and_day = day_of_year * 2141 + 197_913;
    let month = month_and_day >> 16;
    let is_next_year = day_of_year >= 306;
    let year = century * 100 + (product >> 32) as u32 + u32::from(is_next_year);
    let mut end = put_pair(memory, put_pair(memory, to, year / 100), year % 100);
    end = put_pair(memory, memory.put(end, b'-'), if is_next_year { month - 12 } else { month });
    put_pair(memory, memory.put(end, b'-'), (month_and_day & 0xffff) / 2141 + 1)
}

/// Writes the two digits of a number below 100.
#[inline(always)]
fn put_pair(memory: Memory, to: Address, number: u32) -> Address {
    let tens = (number * 103) >> 10;
    memory.set_u16(to, (0x3030 | tens | ((number - tens * 10) << 8)) as u16);
    to + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(write: impl Fn(Memory) -> Address) -> String {
        let mut bytes = [0u8; 128];
        let memory = unsafe { Memory::over(bytes.as_mut_ptr(), bytes.len()) };
        let end = write(memory);
        String::from_utf8(bytes[..end].to_vec()).unwrap()
    }

    #[test]
    fn writes_the_first_and_the_last_moment_and_days_around_leap_days() {
        let time = |milliseconds: i64| {
            let (seconds, rest) = (milliseconds.div_euclid(1000), milliseconds.rem_euclid(1000));
            format(|memory| format_timestamp(memory, 0, seconds, rest as u32))
        };
        assert_eq!(time(FIRST_MILLISECOND), "0001-01-01T00:00:00Z");
        assert_eq!(time(LAST_MILLISECOND), "9999-12-31T23:59:59.999Z");
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(-1), "1969-12-31T23:59:59.999Z");
        let day = |days: i32| format(|memory| format_date(memory, 0, days));
        assert_eq!([day(11_016), day(11_017)], ["2000-02-29", "2000-03-01"]);
        assert_eq!([day(-25_509), day(-25_508)], ["1900-02-28", "1900-03-01"]);
        assert_eq!([day(FIRST_DAY as i32), day(LAST_DAY as i32)], ["0001-01-01", "9999-12-31"]);
    }
}
