// The structural index of newline-delimited JSON, as simdjson's first stage makes it: the addresses of quotes, and of
// { } [ ] , : and line breaks outside strings. 64 bytes a step, the state of strings and escapes carried as bits.

const even: u64 = 0x5555555555555555

/** Words of the index behind the last one: `walk` looks ahead that far. They point at the space behind the bytes. */
const lookAhead = 8

/**
 * Scans `length` bytes, which 64 spaces follow. Writes the u32 addresses of the structural characters to `index`, and
 * those of the backslashes that begin an escape to `escapes`; both have room for the worst case.
 *
 * Returns how many bytes, in whole lines, the index holds. That is less than `length` where a control character is in a
 * string, which includes a line that ends in one: neither that line nor one behind it is in the index, and the scan
 * continues where the next call says.
 */
export function scan(bytes: usize, length: u32, index: usize, escapes: usize): u32 {
  const quote = i8x16.splat(0x22), backslash = i8x16.splat(0x5c), caseBit = i8x16.splat(0x20), low = i8x16.splat(0x0f)
  // By low nibble: ':', '{', ',' and '}'; '[' and ']' fold onto the braces with the case bit.
  const structural = i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0x3a, 0x7b, 0x2c, 0x7d, -1, -1)
  const end = bytes + length
  let inString: u64 = 0, carriedEscape: u64 = 0
  let out = index, escapeOut = escapes
  let lineEnd = bytes, lineOut = index
  for (let p = bytes; p < end; p += 64) {
    const a = v128.load(p), b = v128.load(p, 16), c = v128.load(p, 32), d = v128.load(p, 48)
    let escaped: u64 = carriedEscape
    const sa = i8x16.eq(a, backslash), sb = i8x16.eq(b, backslash), sc = i8x16.eq(c, backslash), sd = i8x16.eq(d, backslash)
    if (v128.any_true(v128.or(v128.or(sa, sb), v128.or(sc, sd)))) {
      // A run of backslashes that begins at an odd place and ends at an even one, or the other way round, escapes what follows.
      const slashes = toBits(sa, sb, sc, sd)
      const runs = slashes & ~carriedEscape
      const follows = (runs << 1) | carriedEscape
      const oddStarts = runs & ~even & ~follows
      const sum = oddStarts + runs
      carriedEscape = sum < runs ? 1 : 0
      escaped = (even ^ (sum << 1)) & follows
      // A backslash begins an escape unless it is itself escaped.
      let starts = slashes & ~escaped
      while (starts != 0) {
        store<u32>(escapeOut, p + (ctz(starts) as u32))
        escapeOut += 4
        starts &= starts - 1
      }
    } else carriedEscape = 0
    const quotes = toBits(i8x16.eq(a, quote), i8x16.eq(b, quote), i8x16.eq(c, quote), i8x16.eq(d, quote)) & ~escaped
    const strings = prefixXor(quotes) ^ inString
    inString = ((strings as i64) >> 63) as u64
    let found = toBits(isStructural(a, caseBit, low, structural), isStructural(b, caseBit, low, structural),
      isStructural(c, caseBit, low, structural), isStructural(d, caseBit, low, structural))
    found = (found & ~strings) | quotes
    const least = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d))
    if (v128.any_true(i8x16.lt_u(least, caseBit))) {
      const controls = toBits(i8x16.lt_u(a, caseBit), i8x16.lt_u(b, caseBit), i8x16.lt_u(c, caseBit), i8x16.lt_u(d, caseBit))
      const newline = i8x16.splat(0x0a)
      let newlines = toBits(i8x16.eq(a, newline), i8x16.eq(b, newline), i8x16.eq(c, newline), i8x16.eq(d, newline)) & ~strings
      const misplaced = controls & strings
      if (misplaced != 0) {
        // Everything before it stays, up to the last line break.
        const before = (misplaced & (0 - misplaced)) - 1
        newlines &= before
        found &= before
      }
      found |= newlines
      if (newlines != 0) {
        const last = 63 - clz(newlines)
        lineEnd = p + (last as u32) + 1
        lineOut = out + ((popcnt(found & (((1 as u64) << last << 1) - 1)) as usize) << 2)
      }
      if (misplaced != 0) {
        writeAddresses(found, p, out)
        out = lineOut
        break
      }
    }
    out = writeAddresses(found, p, out)
  }
  if (lineEnd < end) out = lineOut
  for (let i = 0; i < lookAhead; i++) store<u32>(out + (i << 2), end as u32)
  store<u32>(escapeOut, 0xffffffff)
  return (lineEnd - bytes) as u32
}

/** Addresses are written eight at a time, even where fewer are found: the next ones overwrite the rest. */
@inline
function writeAddresses(found: u64, p: usize, out: usize): usize {
  const count = popcnt(found) as usize
  for (let i = 0; i < 8; i++) {
    store<u32>(out + (i << 2), p + (ctz(found) as u32))
    found &= found - 1
  }
  if (count > 8) {
    for (let i = 8; i < 16; i++) {
      store<u32>(out + (i << 2), p + (ctz(found) as u32))
      found &= found - 1
    }
    if (count > 16) {
      let at = out + 64
      while (found != 0) {
        for (let i = 0; i < 8; i++) {
          store<u32>(at + (i << 2), p + (ctz(found) as u32))
          found &= found - 1
        }
        at += 32
      }
    }
  }
  return out + (count << 2)
}

@inline
function isStructural(bytes: v128, caseBit: v128, low: v128, structural: v128): v128 {
  const folded = v128.or(bytes, caseBit)
  return i8x16.eq(i8x16.swizzle(structural, v128.and(folded, low)), folded)
}

@inline
function toBits(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = (i8x16.bitmask(a) as u32) | ((i8x16.bitmask(b) as u32) << 16)
  const high = (i8x16.bitmask(c) as u32) | ((i8x16.bitmask(d) as u32) << 16)
  return (low as u64) | ((high as u64) << 32)
}

/** Every bit becomes the parity of those up to it: one within a string, its opening quote included. */
@inline
function prefixXor(bits: u64): u64 {
  bits ^= bits << 1
  bits ^= bits << 2
  bits ^= bits << 4
  bits ^= bits << 8
  bits ^= bits << 16
  bits ^= bits << 32
  return bits
}
