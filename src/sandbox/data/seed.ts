/**
 * Generated data is a tree of seeds. A record's seed is derived from the run's seed and the record's number, a field's
 * seed from the record's and the field's name, and every value is a pure function of its seed. So any record can be
 * generated without those before it, and a new field in a contract changes no other field. Seeds have 31 bits and no
 * sign, which V8 keeps as small integers outside the heap.
 */
const seedBits = 31

/** Upper bound of seeds: `seed < share * seedRange` is true for that share of all seeds. */
export const seedRange = 2 ** seedBits

/** Scrambles 32 bits to a seed, by two rounds of multiply and shift. */
export function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  const twice = Math.imul(once ^ (once >>> 15), 0x735a2d97)
  return (twice ^ (twice >>> 15)) >>> 1
}

/** Derives the seed of a part. `salt` distinguishes the parts. */
export function childSeed(seed: number, salt: number): number {
  return mix(seed ^ Math.imul(salt, 0x9e3779b1))
}

/** Hashes the name of a part to a salt (FNV-1a). */
export function toSalt(name: string): number {
  let hash = 0x811c9dc5
  for (let position = 0; position < name.length; position++) {
    hash = Math.imul(hash ^ name.charCodeAt(position), 0x01000193)
  }
  return hash
}

export function toRunSeed(seed: number): number {
  return childSeed(mix(Math.floor(seed / 2 ** 32)), seed)
}

export function recordSeed(runSeed: number, recordSalt: number, index: number): number {
  return childSeed(childSeed(runSeed, recordSalt), index)
}

export function pick<Value>(values: readonly Value[], seed: number): Value {
  return values[seed % values.length] as Value
}

export function between(least: number, most: number, seed: number): number {
  return least + (seed % (most - least + 1))
}
