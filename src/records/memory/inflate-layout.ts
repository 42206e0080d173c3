/*
 * The state of an inflation, which is zeros at first, the statuses of a call, and the sizes of its tables. JavaScript says
 * from where to where to inflate; the kernel moves on what it has taken and written, and keeps the rest.
 */

/** Addresses: of the input, of the bytes that matches may repeat, and of the output. */
export const [inflateInput, inflateInputEnd, inflateWindow, inflateOutput, inflateLimit] = [0, 4, 8, 12, 16]
export const [inflatePhase, inflateIsLast, inflateStoredLeft] = [20, 24, 28]
export const [inflateBits, inflateBitCount] = [32, 40]
export const [inflateLiterals, inflateDistances, inflateCodeLengths, inflateIndex] = [44, 48, 52, 56]
/** The CRC-32 of the output so far. */
export const inflateSum = 60
/** The lengths of codes, a byte each. */
export const inflateLengths = 64

/** The bits that the first table of a code decodes at once. */
export const [inflateCodeBits, inflateLiteralBits, inflateDistanceBits] = [7, 11, 8]

/** Tables of words, with the most entries that any code of these bits takes: 2342 and 402. */
export const [inflateLiteralTable, inflateDistanceTable] = [384, 9792]
export const inflateStateBytes = 11_456

/** Bytes behind the limit of the output that are overwritten: those of a match, and of its last step. */
export const inflateSlack = 288

export const [inflateNeedsInput, inflateFull, inflateEnded] = [0, 1, 2]

/** The statuses of damaged data, from 3 on. */
export const [inflateBlockType, inflateStoredLength, inflateSymbols, inflateCodeLengthCode] = [3, 4, 5, 6]
export const [inflateRepeat, inflateNoEnd, inflateLiteralCodeSet, inflateDistanceCodeSet] = [7, 8, 9, 10]
export const [inflateLiteralCode, inflateDistanceCode, inflateTooFarBack] = [11, 12, 13]
