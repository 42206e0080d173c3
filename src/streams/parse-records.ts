import { CatalogueError } from '../errors.ts'
import { formatStreamError, type LinePosition, type ParsedLine, parseLine } from '../records/parse-line.ts'
import type { Issue } from '../records/reject.ts'
import { compileAnyRecord } from '../scan/any-record.ts'
import { LineScan } from '../scan/line-scan.ts'
import { DeliveredValue, deliveredProperty } from './delivered-value.ts'
import { showInspected } from './shown-property.ts'
import type { NumberedLine } from './split-lines.ts'
import { Stage } from './stage.ts'

/** Where a record comes from. */
export interface RecordPlace extends LinePosition {
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
   * Keep every digit of every number: whole numbers beyond 2^53 become bigints, others that no float holds become a
   * LosslessNumber (of the package lossless-json), whose `toString()` has the digits. Default true. With false, only
   * fields of a contract keep theirs.
   */
  readonly exactNumbers?: boolean | undefined
}

/**
 * Lines → parsed records: the `result` and place of an envelope `{"meta": {"total", "index"}, "result": …}`, or a bare
 * record. A line `{"error": …}` ends the stream with SOURCE_ERROR_LINE: what came before it is not the whole result.
 */
export function parseRecords({ exactNumbers = true }: ParseRecordsOptions = {}): Stage<NumberedLine, ParsedRecord> {
  const scan = createSureScan()
  return new Stage({
    take(rawLine) {
      requireLine(rawLine)
      const scanned = scan(rawLine)
      if (scanned !== null) return [scanned]
      const { maxLineBytes } = rawLine
      return toParsedRecords(parseLine(rawLine, { maxLineBytes, exactNumbers }), rawLine)
    },
  })
}

/**
 * The item of a line that surely is a record without a number that could lose digits, which is parsed when somebody looks
 * at it; null for every other line.
 */
function createSureScan(): (rawLine: NumberedLine) => DeliveredRecord | null {
  let opened: ReturnType<typeof openScan> | null = null
  return (rawLine) => {
    const { bytes, lineBytes, maxLineBytes, isUtf8 } = rawLine
    if (!isUtf8 || lineBytes !== bytes.length || lineBytes > maxLineBytes) return null
    const { scan, findPlace } = (opened ??= openScan())
    const place = findPlace(bytes)
    return place && toDeliveredRecord(new DeliveredValue({ scan, bytes }), place, rawLine)
  }
}

function openScan() {
  const scan = new LineScan()
  return { scan, findPlace: compileAnyRecord(scan) }
}

function toParsedRecords(parsed: ParsedLine, rawLine: NumberedLine): readonly ParsedRecord[] {
  const { number: line } = rawLine
  switch (parsed.kind) {
    case 'blank':
      return []
    case 'error':
      throw new CatalogueError('SOURCE_ERROR_LINE', `line ${line}: ${formatStreamError(parsed.error)}`)
    case 'record':
      return [toDeliveredRecord(new DeliveredValue(parsed), parsed, rawLine)]
    case 'invalid':
      return [{ ...parsed, line, rawLine }]
  }
}

function toDeliveredRecord(
  value: DeliveredValue,
  { index, total }: LinePosition,
  rawLine: NumberedLine,
): DeliveredRecord {
  const item = { kind: 'record', text: '', index, total, line: rawLine.number, rawLine, delivered: null } as const
  return showInspected(deliveredProperty.define(Object.defineProperty(item, 'text', text), value))
}

/** As `delivered`, it is made when somebody looks at it. */
const text: PropertyDescriptor & ThisType<object> = {
  enumerable: true,
  configurable: true,
  get() {
    return deliveredProperty.of(this)?.text
  },
  set(value: unknown) {
    Object.defineProperty(this, 'text', { value, enumerable: true, configurable: true, writable: true })
  },
}

function requireLine(item: unknown): void {
  if (typeof item === 'object' && item !== null && 'lineBytes' in item) return
  throw new TypeError(`parseRecords: expected the lines that splitLines gives, got ${typeof item}`)
}
