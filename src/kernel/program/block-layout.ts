/*
 * The work on one block, as `scanBlock` writes it and the kernel reads it: offsets in bytes, every member a word. Both sides
 * read this file, so it holds nothing but numbers. An address of 0 is nothing.
 */

export const blockScope = 0
/** The beginning of the next line, the end of the lines, and the end of those that are indexed. */
export const blockNext = 4
export const blockEnd = 8
export const blockIndexed = 12
/** 1 if the indexed lines are UTF-8. */
export const blockIsUtf8 = 16
export const blockIndex = 20
export const blockEscapes = 24
/** 1 if the walk may accept lines by itself. */
export const blockAccepts = 28
/**
 * What is done behind the last line: tables are counted, then encoded from an address to a limit, and bytes digested. The
 * words of a piece are at an address, and pieces are a list of these.
 */
export const blockCounted = 32
export const blockCountedCount = 36
export const blockPieces = 40
export const blockPieceCount = 44
export const blockTo = 48
export const blockLimit = 52
export const blockBytes = 56
export const blockLength = 60
export const blockDigest = 64
export const blockWords = 17

/** Rows of a table that are counted or encoded: its header, its columns, their number. */
export const rowsTable = 0
export const rowsColumns = 4
export const rowsColumnCount = 8

/** Rows that are counted into states. */
export const countedStates = 12
export const countedWords = 4

/** Rows that are encoded. The result is the number of bytes, or the refusal of the encoder. */
export const pieceFormat = 12
/** Of CSV. Flags have bits: quote all 1, escape formulas 2, CR and LF 4, decimal comma 8. */
export const pieceDelimiter = 16
export const pieceQuote = 20
export const pieceListSeparator = 24
export const pieceFlags = 28
export const pieceResult = 32

export const csvPiece = 0
export const ndjsonPiece = 1
export const copyPiece = 2
export const batchPiece = 3

/**
 * Answers for a block: its end, a line that JavaScript has to apply, or one that can't be indexed. A negative one is the
 * header, counted from -1, whose region is full.
 */
export const lineAccepted = 1
export const lineFallback = 0
export const blockDone = 2
export const lineUnindexed = 3
