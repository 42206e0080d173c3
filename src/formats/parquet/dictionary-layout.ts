/* What wasm/parquet/ and the encoder here have to agree on. Numbers only: both read this file. */

/**
 * A column whose dictionary outgrows this is written plainly. A larger one would be looked up outside the nearest cache,
 * and many columns are unique.
 */
export const mostDictionaryBytes = 32_768

/** Each value has four bytes at least. */
export const mostDictionaryValues = 8_192

/** Of the table in which values are looked up, a power of 2: half of them stay empty. */
export const dictionaryPlaces = 16_384

/** Of one place: a hash, and the number of the value that has it. */
export const placeBytes = 8
