import { CatalogueError } from '../errors.ts'
import {
  formatStreamError,
  parseLine,
  type HeldNumbers,
  type LinePosition,
  type ParsedLine,
} from '../records/parse-line.ts'
import type { Issue } from '../records/reject.ts'
import { misuse, requireOptions, trueOrFalse } from '../check-options.ts'
import { ForeignLines } from './foreign-lines.ts'
import type { NumberedLine } from './split-lines.ts'
import { Stage } from './stage.ts'

export interface RecordPlace extends LinePosition {
  readonly line: number
  /** The unchanged line, for rejects. */
  readonly rawLine: NumberedLine
}

export interface DeliveredRecord extends RecordPlace {
  readonly kind: 'record'
  /** The record, not yet checked. `validateRecords` changes it into its own record, so keep a copy. */
  readonly delivered: unknown
  readonly text: string
  /**
   * How `parseRecords` represents numbers. Without it `validateRecords` leaves `delivered` unchanged, and takes longer.
   */
  readonly numbers?: HeldNumbers
  /** True if an object on the line may have a key twice. Default false. */
  readonly mayRepeatKeys?: boolean
}

/** A line without JSON. It is passed on, so that all rejects come from one stage. */
export interface InvalidLine extends RecordPlace {
  readonly kind: 'invalid'
  readonly issue: Issue
}

export type ParsedRecord = DeliveredRecord | InvalidLine

export interface ParseRecordsOptions {
  /**
   * Keeps every digit of every number: whole numbers beyond 2^53 become bigints, others that no float holds become a
   * LosslessNumber (of the package lossless-json), whose `toString()` has the digits. Default true. With false, only
   * fields of a contract keep theirs.
   */
  readonly exactNumbers?: boolean | undefined
}

/**
 * Lines → parsed records: the `result` and place of an envelope `{"meta": {"total", "index"}, "result": …}`, or a bare
 * record. Takes the lines of `splitLines`, or text or bytes of other splitters, one line an item. These have to include
 * blank lines, or line numbers are wrong. A line `{"error": …}` ends the stream with SOURCE_ERROR_LINE: the records
 * before it are not the whole result.
 */
export function parseRecords(
  options: ParseRecordsOptions = {},
): Stage<NumberedLine | string | Uint8Array, ParsedRecord> {
  requireOptions<ParseRecordsOptions>('parseRecords', options, { exactNumbers: trueOrFalse })
  const { exactNumbers = true } = options
  const foreign = new ForeignLines()
  return new Stage({
    take(item) {
      const rawLine = typeof item === 'string' || item instanceof Uint8Array ? foreign.next(item) : requireLine(item)
      return toItems(parseLine(rawLine, { maxLineBytes: rawLine.maxLineBytes, exactNumbers }), rawLine)
    },
  })
}

/** The parsed line with its place; nothing for a blank line. Throws SOURCE_ERROR_LINE for an error line. */
export function toItems(parsed: ParsedLine, rawLine: NumberedLine): readonly ParsedRecord[] {
  switch (parsed.kind) {
    case 'blank':
      return []
    case 'error':
      throw errorLine(parsed.error, rawLine.number)
    case 'record':
    case 'invalid':
      return [{ ...parsed, line: rawLine.number, rawLine }]
  }
}

/** The error for a line `{"error": …}`, with the service's words. */
export function errorLine(error: Parameters<typeof formatStreamError>[0], line: number): CatalogueError {
  return new CatalogueError('SOURCE_ERROR_LINE', `line ${line}: ${formatStreamError(error)}`)
}

function requireLine(item: NumberedLine): NumberedLine {
  if (typeof item === 'object' && item !== null && 'lineBytes' in item) return item
  throw misuse('parseRecords', 'lines: those of splitLines, text or bytes', item)
}
