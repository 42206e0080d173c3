/*
 * The tree that the module walks, as `compileScan` writes it: offsets and sizes in bytes, every member a word. Both sides
 * read this file, so it holds nothing but numbers. An address of 0 is nothing.
 */

/** Kinds of nodes: which value is expected, and what is done with it. */
export const refusedNode = 0
export const skippedNode = 1
export const textNode = 2
export const codeNode = 3
export const integerNode = 4
export const timestampNode = 5
export const floatNode = 6
export const booleanNode = 7
export const looseNode = 8
export const choiceNode = 9
export const objectNode = 10
export const localizedNode = 11
export const listNode = 12
export const requiredTextNode = 13
export const labelledNode = 14

/** Every node begins with its kind and the targets of its value: the text of a scalar, JSON text of others. */
export const nodeKind = 0
export const nodeTargets = 4
export const nodeTargetCount = 8
/** Number of the path in notes of drift. */
export const nodePath = 12

/** A code: the digits that it is padded to; 1 if several codes may come in a list. */
export const codeLength = 16
export const codeMayBeList = 20

/** A choice: names (see below) of the values that the contract lists. */
export const choiceValues = 16
export const choiceValueCount = 20

/**
 * An object: the addresses of its members, by number; the treatment of unknown keys; the nodes of a number and of a
 * list in its place, or 0.
 */
export const objectMembers = 16
export const objectSlots = 20
export const objectSlotMask = 24
export const objectFirst = 28
export const objectUnknown = 32
export const objectBare = 36
export const objectBareList = 40
export const objectMemberCount = 44
/** Numbers of the members that a number, a list and a text in place of the object become, and the node of the text. */
export const objectBareNumber = 48
export const objectBareListNumber = 52
export const objectBareText = 72
export const objectBareTextNumber = 76
/** Room for two words a member, in which JSON text sorts members; 1 if the JSON text is that of the record as delivered. */
export const objectOrder = 56
export const objectIsDelivered = 60
/** A localized value with more locales falls back to the reference path. */
export const mostContentLocales = 64

export const unknownNoted = 0
export const unknownIgnored = 1
export const unknownRefused = 2

/**
 * A localized value. Locales with columns are members, as in an object. Nodes of other locales, and of text without a
 * locale, or 0.
 */
export const localizedOther = 32
export const localizedPlain = 36
export const localizedRanks = 40
export const localizedRankCount = 48

/** A list. `listElements` are the first `listSpecial` positions, then one for all others. */
export const listElements = 16
export const listSpecial = 20
export const listOrOne = 24
export const listOpens = 28
export const listOpenCount = 32
/** The word of the current element's 1-based position, or 0. */
export const listPosition = 36
export const listPicks = 40
export const listPickCount = 44
/** The row by which elements are chosen, and the number of its cells. */
export const listPickRow = 48
export const listPickCells = 52

export const nodeBytes = 80

/** An element: its node, the list cells that it appends to and the rows that it begins. */
export const elementNode = 0
export const elementAppends = 4
export const elementAppendCount = 8
export const elementBegins = 12
export const elementBeginCount = 16
export const elementBytes = 20

/**
 * A list cell that is filled while its list is walked: header of the list region, its first cell, target of the list
 * cell.
 */
export const openList = 0
export const openStart = 4
export const openSlot = 8
export const openOffset = 12
export const openBytes = 16

/**
 * A cell that every element appends to a list region: the slot has the address of the newest. A first one is empty, or
 * null if its element is null.
 */
export const appendList = 0
export const appendSlot = 4
export const appendIsFirst = 8
export const appendBytes = 12

/**
 * A cell of one chosen element of a list. Every element fills the list's row of picks: its locales, its display order,
 * cells of conditions, cells that may be picked. `pickFrom` is the address of one of the last; it goes to a slot and an
 * offset if its element is the best so far. `pickIsJson` if it is JSON text, so that an empty list is `[]`. The best
 * element has the first of the names among its locales, or the rank that is kept at `pickRank`; `pickOthers` if any
 * other will do.
 */
export const pickSlot = 0
export const pickOffset = 4
export const pickFrom = 8
export const pickIsJson = 12
export const pickNames = 16
export const pickNameCount = 20
export const pickOthers = 24
export const pickRank = 28
export const pickConditions = 32
export const pickConditionCount = 36
export const pickBestRank = 40
export const pickBestOrder = 48
export const pickBytes = 56
export const pickLocalesCell = 0
export const pickOrderCell = 8

/**
 * A condition on a cell, or on the elements of a list cell: it has one of the names, or null. With `Not` it has none of
 * them. The cell is an address, or for conditions on rows an offset.
 */
export const conditionCell = 0
export const conditionIsList = 4
export const conditionIsNot = 8
export const conditionTakesNull = 12
export const conditionNames = 16
export const conditionNameCount = 20
/** Of a condition on records or rows: how many failed it, none of those before. */
export const conditionFailed = 24
export const conditionBytes = 28

/** The rows of a table that are kept: header and mark of the table, conditions on cells by their offsets in the row. */
export const filterTable = 0
export const filterMark = 4
export const filterConditions = 8
export const filterConditionCount = 12
export const filterBytes = 16

/**
 * A column that counts filled values, or is `true` or `false`: header and mark of its table, offset of its cell, 1 if it
 * counts. The values are in the hidden cell at `filledFrom`: one, or a list of elements with `filledWidth` cells each, of
 * which those count that meet the conditions, on cells by their offsets in the element, and have something at
 * `filledValue`: any text, also empty, with `filledIsObject`.
 */
export const filledTable = 0
export const filledMark = 4
export const filledCell = 8
export const filledIsCount = 12
export const filledFrom = 16
export const filledWidth = 20
export const filledValue = 24
export const filledIsObject = 28
export const filledConditions = 32
export const filledConditionCount = 36
export const filledBytes = 40

/**
 * A row that begins: the slot has its address. Positions are pairs of an offset in the row and the address of the
 * position.
 */
export const beginTable = 0
export const beginSlot = 4
export const beginPositions = 8
export const beginPositionCount = 12
export const beginBytes = 16
export const positionBytes = 8

/**
 * A target of a value: a cell, `offset` bytes from the address in the slot. With a rank, only the best filled value
 * stays. With `onlyNull` in place of the rank's address, the value replaces only null.
 */
export const targetSlot = 0
export const targetOffset = 4
export const targetRankKept = 8
export const targetRank = 12
export const targetBytes = 16
export const onlyNull = 1

/**
 * The best rank so far of a fallback; `rankOthers` if any other locale will do as the last choice.
 * @public the layout names every field
 */
export const rankKept = 0
export const rankOthers = 4
export const rankBytes = 8
export const noRank = 0x7fffffff

/** A name of up to 30 bytes with the `":` behind it, padded to 32; masks of the bytes with and without those two. */
export const nameMask = 32
export const nameMaskAlone = 36
export const nameLength = 40
export const nameBytes = 48
export const longestName = 30

/**
 * A member: a name with a node; the member that followed it last; its number; whether its key is noted as drift; its place among
 * the members that are content, in the order of their names from 1 on, or 0.
 */
export const memberRank = 44
export const memberNode = 48
export const memberNext = 52
export const memberNumber = 56
export const memberNoted = 60
export const memberBytes = 64
export const mostMembers = 128

/**
 * A cell that a table's rows of the line get, such as the record's id: header and mark of the table, offset, the cell.
 */
export const copyTable = 0
export const copyMark = 4
export const copyOffset = 8
export const copyFrom = 12
export const copyBytes = 16

/** A note of drift: words of its kind and path, the address of the key or value, its length. */
export const noteBytes = 12
export const mostNotes = 1024
export const unknownFieldNote = 0
export const unknownValueNote = 1
export const otherLocaleNote = 2
/** A key that is noted only to find its repetition. */
export const silentNote = 3
export const oddCodeNote = 4
export const nullElementNote = 5
/** Bits of the kind of a note, below the number of its path. */
export const noteKindBits = 3
export const noteKindMask = 7

/**
 * The scope of a walk: what it gets and gives. The record's cells follow, `scopeCellCount` of them. The first
 * are its id, the line's index, its total and, if wanted, the hash of its content.
 */
export const scopeEnvelope = 0
export const scopeBare = 4
export const scopeRoot = 8
export const scopeMarks = 12
export const scopeHeaders = 16
export const scopeHeaderCount = 20
export const scopeCopies = 24
export const scopeCopyCount = 28
export const scopeNotes = 32
export const scopeNoteCount = 36
export const scopeCellCount = 40
export const scopeMaxLineBytes = 44
export const scopeLineStart = 48
export const scopeLineEnd = 52
export const scopeNumbers = 56
/** 1 if values are written as JSON text: then a line whose text JavaScript may write in another way falls back. */
export const scopeKeepsJson = 60
/** The cell of the interface version that the lines came from. */
export const scopeVersion = 64
/** 1 if records get the hash of their content. */
export const scopeHashesContent = 68
export const scopeRecord = 72
/** The number within the block of the line that is walked next. */
export const scopeLine = 76
/**
 * The region for the entries of ids (see records/id-layout.ts), the address of the next entry and the end of the
 * region.
 */
export const scopeIds = 80
export const scopeIdsNext = 84
export const scopeIdsEnd = 88
/** Notes of the lines that the walk has accepted by itself. */
export const scopeKnown = 92
export const scopeKnownCount = 96
/** Series of those lines. */
export const scopeSeries = 100
export const scopeSeriesCount = 104
/** 1 if a line with an unknown value is never accepted. */
export const scopeRefusesValues = 108
/** Where the walk continues: in the bytes, in the index, and in the escapes. */
export const scopeNextLine = 112
export const scopeNextToken = 116
export const scopeNextEscape = 120
/** Conditions on the record's own cells, by their offsets from those, and filters of rows: if the walk may accept lines. */
export const scopeConditions = 124
export const scopeConditionCount = 128
export const scopeFilters = 132
export const scopeFilterCount = 136
/** Columns that count filled values, and the texts `true` and `false` in eight bytes each. */
export const scopeFilled = 140
export const scopeFilledCount = 144
export const scopeTruths = 148
export const scopeCells = 160

/**
 * Lines with consecutive indexes, or without any, that state the same total: the index and the total of the first, in
 * 64 bits each, and the number of lines.
 */
export const seriesFirst = 0
export const seriesTotal = 8
export const seriesLines = 16
export const seriesBytes = 24
export const mostSeries = 64

/** An index or total as 64 bits: one that is no number, none, and the base of numbers, which is number 0. */
export const noPosition = 0
export const unnumberedPosition = 1
export const firstPosition = 2

/** A known note: what it is, the length of its text, how often it came, its text. */
export const knownNote = 0
export const knownLength = 4
export const knownTimes = 8
export const knownText = 12
export const longestKnown = 52
export const knownBytes = 64
export const mostKnown = 32

/** Texts of the first positions, in eight bytes each. */
export const numberCount = 1000
