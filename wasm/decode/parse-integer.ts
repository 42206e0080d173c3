/** The integer of canonical digits: exact up to 18 of them. */
export function parseInteger(address: usize, length: usize): i64 {
  const isNegative = load<u8>(address) == 0x2d
  const magnitude = parseDigits(address + (isNegative ? 1 : 0), address + length) as i64
  return isNegative ? -magnitude : magnitude
}

/** The number of a run of digits: exact up to 19 of them. */
export function parseDigits(address: usize, end: usize): u64 {
  let value: u64 = 0
  for (; address + 8 <= end; address += 8) value = value * 100_000_000 + parseEight(load<u64>(address))
  for (; address < end; address++) value = value * 10 + (load<u8>(address) - 0x30)
  return value
}

/** Eight digits at once: pairs, then fours, then all. */
@inline
function parseEight(digits: u64): u64 {
  digits = ((digits & 0x0f0f0f0f0f0f0f0f) * 2561) >> 8
  digits = ((digits & 0x00ff00ff00ff00ff) * 6553601) >> 16
  return ((digits & 0x0000ffff0000ffff) * 42949672960001) >> 32
}
