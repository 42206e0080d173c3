/*
 * The state of a column while its cells are counted, in bytes from its beginning. This and wasm/profile/ are the two sides.
 * Behind the head are the slots of the table of distinct values, each a byte with the number of a value from 1 on, then the
 * least and the greatest value, then the distinct values and their texts.
 */

/** Rows with a value. */
export const stateFilled = 0
/** 1 from a value that is too long on, or one too many. */
export const stateIsClosed = 4
/** Number of distinct values. */
export const stateDistinct = 8
/** Code points of the longest text. */
export const stateLongest = 12
/** Bytes that the least and the greatest text have in common, a multiple of 8: the keys are those behind them. */
export const statePrefix = 16
/** Bytes of the least and the greatest value as they are kept. */
export const stateMinLength = 20
export const stateMaxLength = 24
/** 1 once there is a least and a greatest value. */
export const stateIsBounded = 28
/** Numbers, or eight bytes of texts, in the order of the values: what most values are compared with. */
export const stateMinKey = 32
export const stateMaxKey = 40
export const stateSlots = 64

/** At most this many distinct values are counted: one more, and none is. */
export const mostDistinct = 100
/** A column with a longer value is not counted by value. */
export const longestValue = 64
/** Longer texts are cut where they are the least or the greatest. */
export const longestBound = 256

/** A power of 2. */
export const slotCount = 256
export const stateMin = stateSlots + slotCount
export const stateMax = stateMin + longestBound
export const stateValues = stateMax + longestBound

/**
 * A distinct value: its first eight bytes, with zeros for those that are not there, its last eight where it has more, how often it
 * came, and its length. The values are kept together, and apart from their texts, so that few cache lines have to be read.
 */
export const valueHead = 0
export const valueTail = 8
export const valueTimes = 16
export const valueLength = 20
export const valueBytes = 24

/** The texts of the values, `longestValue` bytes each. */
export const stateTexts = stateValues + valueBytes * mostDistinct
export const stateBytes = stateTexts + longestValue * mostDistinct
