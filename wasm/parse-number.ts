/** `Number(text)` of the host, for what would need more than 53 bits on the way. */
// @ts-ignore: decorator
@external('numbers', 'parseFloat')
declare function parseByHost(address: usize, length: usize): f64

/** Up to this power of ten a float is exact. */
const exactPower: i32 = 22
const exactInteger: u64 = 1 << 53

/** The nearest float of a number as JSON or JavaScript writes it: one division or product of two exact floats. */
export function parseFloat64(address: usize, length: usize): f64 {
  const end = address + length
  const isNegative = load<u8>(address) == 0x2d
  let at = isNegative ? address + 1 : address
  const wholeEnd = skipDigits(at, end)
  let mantissa = parseDigits(at, wholeEnd)
  let digits = wholeEnd - at
  let power: i32 = 0
  at = wholeEnd
  if (at < end && load<u8>(at) == 0x2e) {
    const fractionEnd = skipDigits(at + 1, end)
    for (at++; at < fractionEnd; at++) {
      mantissa = mantissa * 10 + (load<u8>(at) - 0x30)
      power--
      digits++
    }
  }
  if (at < end && (load<u8>(at) | 0x20) == 0x65) {
    const sign = load<u8>(at + 1)
    const from = sign == 0x2d || sign == 0x2b ? at + 2 : at + 1
    at = skipDigits(from, end)
    if (at - from > 3) return parseByHost(address, length)
    const exponent = parseDigits(from, at) as i32
    power += sign == 0x2d ? -exponent : exponent
  }
  if (at < end || digits == 0 || digits > 19 || mantissa > exactInteger || abs(power) > exactPower) {
    return parseByHost(address, length)
  }
  const magnitude = power < 0 ? (mantissa as f64) / tenToThe(-power) : (mantissa as f64) * tenToThe(power)
  return isNegative ? -magnitude : magnitude
}

function skipDigits(at: usize, end: usize): usize {
  while (at < end && load<u8>(at) - 0x30 <= 9) at++
  return at
}

function tenToThe(power: i32): f64 {
  let result: f64 = 1
  while (power-- > 0) result *= 10
  return result
}

/** The integer of canonical digits: exact up to 18 of them. */
export function parseInteger(address: usize, length: usize): i64 {
  const isNegative = load<u8>(address) == 0x2d
  const magnitude = parseDigits(address + (isNegative ? 1 : 0), address + length) as i64
  return isNegative ? -magnitude : magnitude
}

/** The number of a run of digits: exact up to 19 of them. Those that are not eight come first, as eight with zeros before them. */
export function parseDigits(address: usize, end: usize): u64 {
  const odd = (end - address) & 7
  let value: u64 = odd == 0 ? 0 : parseEight(load<u64>(address) << ((8 - odd) << 3))
  for (address += odd; address < end; address += 8) value = value * 100_000_000 + parseEight(load<u64>(address))
  return value
}

/** Eight digits at once: pairs, then fours, then all. */
@inline
function parseEight(digits: u64): u64 {
  digits = ((digits & 0x0f0f0f0f0f0f0f0f) * 2561) >> 8
  digits = ((digits & 0x00ff00ff00ff00ff) * 6553601) >> 16
  return ((digits & 0x0000ffff0000ffff) * 42949672960001) >> 32
}
