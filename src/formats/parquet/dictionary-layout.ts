/* The layout of dictionaries that the kernel and the encoder here share. */

/**
 * A column whose dictionary outgrows this is written in plain encoding. A larger one would exceed the nearest cache in
 * lookups, and many columns are unique.
 */
export const mostDictionaryBytes = 32_768

/** Each value has four bytes at least. */
export const mostDictionaryValues = 8_192

export const entryBytes = 2
