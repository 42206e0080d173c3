/*
 * The state of a column while its cells are counted, in bytes from its beginning. Both sides, this and kernel/crates/kernel/src/profile/, follow it.
 * Behind the head are the slots of the table of distinct values, each a byte with the number of a value from 1 on, then the
 * least and the greatest value, then the distinct values and their texts.
 */

export const stateFilled = 0
/** 1 once there was a value that is too long, or one distinct value too many. */
export const stateIsClosed = 4
export const stateDistinct = 8
export const stateLongest = 12
/**
 * The number of bytes that the least and the greatest text share at their start, a multiple of 8; the keys are the
 * bytes after them.
 */
export const statePrefix = 16
/** The lengths of the least and the greatest value as they are kept, in bytes. */
export const stateMinLength = 20
export const stateMaxLength = 24
/** 1 once there is a least and a greatest value. */
export const stateIsBounded = 28
/** Numbers, or eight bytes of texts, that sort like the values; most comparisons need no more. */
export const stateMinKey = 32
export const stateMaxKey = 40
/** The sum of all numbers, with 128 bits, once distinct values are no longer counted. */
export const stateSum = 48
/** The address of the buckets, which count from then on too; 0 for values that are not measured. */
export const stateBuckets = 64
export const stateSlots = 80

/** If a column has more distinct values, none is counted. */
export const mostDistinct = 100
/** A column with a longer value is not counted by value. */
export const longestValue = 64
/** Longer texts are cut as least or greatest value. */
export const longestBound = 256

/** A power of 2. */
export const slotCount = 256
export const stateMin = stateSlots + slotCount
export const stateMax = stateMin + longestBound
export const stateValues = stateMax + longestBound

/**
 * A distinct value: its first eight bytes, padded with zeros, its last eight if it has more, how often it occurs, and
 * its length. The values are kept together and apart from their texts, so that few cache lines are read.
 */
export const valueHead = 0
export const valueTail = 8
export const valueTimes = 16
export const valueLength = 20
export const valueBytes = 24

/** The texts of the values, `longestValue` bytes each. */
export const stateTexts = stateValues + valueBytes * mostDistinct
export const stateBytes = stateTexts + longestValue * mostDistinct

/*
 * Buckets are words, in the order of their values. Numbers below 0 have the first half, from the least on, all others the
 * second: one for each number of one or two digits, then for each number of digits steps of 2 from 100, of 5 from 200 and of
 * 10 from 500 on in the first three digits, then one for all that have more than 18. Times have one for each day from 1970 to
 * 2099 in UTC, between two for all others.
 */
export const shortNumbers = 100
export const longNumbers = 160
export const longestNumber = 18
export const bucketsOfSign = shortNumbers + longNumbers * (longestNumber - 2) + 1
export const numberBuckets = 2 * bucketsOfSign
export const countedDays = 47_482
export const dayBuckets = countedDays + 2
