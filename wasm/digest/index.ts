// XXH3 of 128 bits (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md) with its default secret and seed 0, for more than
// 240 bytes: eight accumulators of 64 bits, two a vector, take the bytes in stripes of 64, sixteen stripes a block.

const prime32a: u64 = 0x9e3779b1, prime32b: u64 = 0x85ebca77, prime32c: u64 = 0xc2b2ae3d
const prime64a: u64 = 0x9e3779b185ebca87, prime64b: u64 = 0xc2b2ae3d27d4eb4f, prime64c: u64 = 0x165667b19e3779f9
const prime64d: u64 = 0x85ebca77c2b2ae63, prime64e: u64 = 0x27d4eb2f165667c5

const secretBytes: usize = 192
const secret = memory.data<u8>([
  0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb,
  0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
  0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
  0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8, 0xa8,
  0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8,
  0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb, 0x17,
  0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f,
  0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
])

/** Counts the line breaks, sixty-four bytes a step: most steps have none. */
export function countLineBreaks(bytes: usize, length: usize): u32 {
  const newline = i8x16.splat(0x0a)
  const end = bytes + length
  let count: u32 = 0
  for (; bytes + 64 <= end; bytes += 64) {
    const a = i8x16.eq(v128.load(bytes), newline), b = i8x16.eq(v128.load(bytes, 16), newline)
    const c = i8x16.eq(v128.load(bytes, 32), newline), d = i8x16.eq(v128.load(bytes, 48), newline)
    if (!v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) continue
    count += popcnt(i8x16.bitmask(a)) + popcnt(i8x16.bitmask(b)) + popcnt(i8x16.bitmask(c)) + popcnt(i8x16.bitmask(d))
  }
  for (; bytes < end; bytes++) count += (load<u8>(bytes) == 0x0a) as u32
  return count
}

const stripeBytes: usize = 64
const blockBytes: usize = 1024

let acc0: v128, acc1: v128, acc2: v128, acc3: v128

/** Writes the canonical form of the digest, 16 bytes, to an address. */
export function digest(bytes: usize, length: u32, to: usize): void {
  acc0 = i64x2(prime32c as i64, prime64a as i64)
  acc1 = i64x2(prime64b as i64, prime64c as i64)
  acc2 = i64x2(prime64d as i64, prime32b as i64)
  acc3 = i64x2(prime64e as i64, prime32a as i64)
  const end = bytes + length
  let at = bytes
  for (; at + blockBytes < end; at += blockBytes) {
    accumulate(at, at + blockBytes)
    scramble()
  }
  // The last stripe ends with the bytes, and overlaps the one before.
  accumulate(at, at + ((end - 1 - at) & ~(stripeBytes - 1)))
  accumulateStripe(end - stripeBytes, secret + secretBytes - stripeBytes - 7)
  store<u64>(to, bswap(merge(secret + secretBytes - stripeBytes - 11, ~((length as u64) * prime64b))))
  store<u64>(to, bswap(merge(secret + 11, (length as u64) * prime64a)), 8)
}

function accumulate(at: usize, end: usize): void {
  let a = acc0, b = acc1, c = acc2, d = acc3
  for (let key = secret; at < end; at += stripeBytes, key += 8) {
    a = mix(a, v128.load(at), v128.load(key))
    b = mix(b, v128.load(at, 16), v128.load(key, 16))
    c = mix(c, v128.load(at, 32), v128.load(key, 32))
    d = mix(d, v128.load(at, 48), v128.load(key, 48))
  }
  acc0 = a
  acc1 = b
  acc2 = c
  acc3 = d
}

function accumulateStripe(at: usize, key: usize): void {
  acc0 = mix(acc0, v128.load(at), v128.load(key))
  acc1 = mix(acc1, v128.load(at, 16), v128.load(key, 16))
  acc2 = mix(acc2, v128.load(at, 32), v128.load(key, 32))
  acc3 = mix(acc3, v128.load(at, 48), v128.load(key, 48))
}

/** Adds the other half of the bytes, and the product of the halves of each keyed word. */
@inline
function mix(acc: v128, bytes: v128, key: v128): v128 {
  const keyed = v128.xor(bytes, key)
  const low = v128.shuffle<u32>(keyed, keyed, 0, 2, 0, 2), high = v128.shuffle<u32>(keyed, keyed, 1, 3, 1, 3)
  const swapped = v128.shuffle<u64>(bytes, bytes, 1, 0)
  return i64x2.add(i64x2.add(acc, swapped), i64x2.extmul_low_i32x4_u(low, high))
}

function scramble(): void {
  const key = secret + secretBytes - stripeBytes
  acc0 = scrambleOne(acc0, key)
  acc1 = scrambleOne(acc1, key + 16)
  acc2 = scrambleOne(acc2, key + 32)
  acc3 = scrambleOne(acc3, key + 48)
}

function scrambleOne(acc: v128, key: usize): v128 {
  const mixed = v128.xor(v128.xor(acc, i64x2.shr_u(acc, 47)), v128.load(key))
  return i64x2.mul(mixed, i64x2.splat(prime32a as i64))
}

function merge(key: usize, start: u64): u64 {
  return avalanche(start + fold(acc0, key) + fold(acc1, key + 16) + fold(acc2, key + 32) + fold(acc3, key + 48))
}

/** The product of two words, 128 bits, folded to 64. */
function fold(acc: v128, key: usize): u64 {
  const keyed = v128.xor(acc, v128.load(key))
  const a = i64x2.extract_lane(keyed, 0) as u64, b = i64x2.extract_lane(keyed, 1) as u64
  const lowA = a & 0xffffffff, highA = a >> 32, lowB = b & 0xffffffff, highB = b >> 32
  const low = lowA * lowB
  const middle = (low >> 32) + ((highA * lowB) & 0xffffffff) + lowA * highB
  const high = highA * highB + ((highA * lowB) >> 32) + (middle >> 32)
  return high ^ ((low & 0xffffffff) | (middle << 32))
}

function avalanche(hash: u64): u64 {
  hash = (hash ^ (hash >> 37)) * 0x165667919e3779f9
  return hash ^ (hash >> 32)
}
