/*
 * An entry of an id, in words: its line within the block, its hash, the length of its text in bytes, then the text, filled with
 * zeros to a whole word. Module and JavaScript both read this file, so it holds nothing but numbers.
 */
export const idLine = 0
export const idHash = 1
export const idLength = 2
export const idText = 3

/** FNV-1a; the upper bits are folded onto the lower half in the end. */
export const hashBasis = 0x811c9dc5
export const hashPrime = 0x01000193
export const hashFold = 15

/** The longest id of the fast path, and of a load into PostgreSQL: an entry of its index has at most 2,704 bytes, other key columns included. */
export const mostIdBytes = 2048
