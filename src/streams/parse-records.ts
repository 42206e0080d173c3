import { CatalogueError } from '../errors.ts'
import { formatStreamError } from '../records/format-stream-error.ts'
import type { Issue } from '../records/issue.ts'
import { parseLine, type LinePlace, type ParsedLine } from '../records/parse-line.ts'
import { DeliveredValue, showDelivered } from './delivered-value.ts'
import type { NumberedLine } from './split-lines.ts'
import { Stage } from './stage.ts'

/** Where a record comes from. */
export interface RecordPlace extends LinePlace {
  /** The 1-based number of its line. */
  readonly line: number
  /** The line as it came, for rejects. */
  readonly rawLine: NumberedLine
}

/** A line that holds JSON: `delivered` is the record in it, not yet checked. */
export interface DeliveredRecord extends RecordPlace {
  readonly kind: 'record'
  readonly delivered: unknown
  /** The text of the line. */
  readonly text: string
}

/** A line that holds no JSON. It travels on, so that whoever rejects records rejects it too. */
export interface InvalidLine extends RecordPlace {
  readonly kind: 'invalid'
  readonly issue: Issue
}

export type ParsedRecord = DeliveredRecord | InvalidLine

export interface ParseRecordsOptions {
  /**
   * Keep every digit of every number: whole numbers beyond 2^53 become bigints. Default true. With false, only fields
   * of a contract keep theirs.
   */
  readonly exactNumbers?: boolean | undefined
}

/**
 * Lines → parsed records: the `result` and place of an envelope `{"meta": {"total", "index"}, "result": …}`, or a bare
 * record. A line `{"error": …}` ends the stream with SOURCE_ERROR_LINE: what came before it is not the whole result.
 */
export function parseRecords({ exactNumbers = true }: ParseRecordsOptions = {}): Stage<NumberedLine, ParsedRecord> {
  return new Stage({
    take(rawLine) {
      requireLine(rawLine)
      const { maxLineBytes } = rawLine
      return toParsedRecords(parseLine(rawLine, { maxLineBytes, exactNumbers }), rawLine, exactNumbers)
    },
  })
}

function toParsedRecords(parsed: ParsedLine, rawLine: NumberedLine, exactNumbers: boolean): readonly ParsedRecord[] {
  const { number: line } = rawLine
  switch (parsed.kind) {
    case 'blank':
      return []
    case 'error':
      throw new CatalogueError('SOURCE_ERROR_LINE', `line ${line}: ${formatStreamError(parsed.error)}`)
    case 'record':
      return [toDeliveredRecord(parsed, rawLine, exactNumbers)]
    case 'invalid':
      return [{ ...parsed, line, rawLine }]
  }
}

function toDeliveredRecord(
  { delivered, text, index, total }: Extract<ParsedLine, { kind: 'record' }>,
  rawLine: NumberedLine,
  exactNumbers: boolean,
): DeliveredRecord {
  const item = { kind: 'record', text, index, total, line: rawLine.number, rawLine } as const
  return showDelivered(item, new DeliveredValue(delivered, text, exactNumbers))
}

function requireLine(item: unknown): void {
  if (typeof item === 'object' && item !== null && 'lineBytes' in item) return
  throw new TypeError(`parseRecords: expected the lines that splitLines gives, got ${typeof item}`)
}
