import type { JsonObject } from '../data/record-writer.ts'
import { createColumns, type Columns } from './columns.ts'
import type { FilterKey } from './filter-keys.ts'
import type { SortKey } from './sort-keys.ts'

export interface Collection extends RecordKeys {
  readonly size: number
  /** Whether a number has a record. Absent if every number below `size` has one. */
  readonly isThere?: (number: number) => boolean
  /** The JSON of a record as UTF-8. Callers must not change it. */
  readonly readText: (number: number) => Buffer
  readonly columns: Columns
  /** Names of filters and sortings that the endpoint table lacks. */
  readonly openKeys?: ReadonlySet<string>
  /** Whether the records contain addresses that are signed anew for every request. */
  readonly signed: boolean
}

export interface RecordKeys {
  readonly filters: Readonly<Record<string, FilterKey>>
  readonly sortings: Readonly<Record<string, SortKey>>
}

export interface CollectionOptions extends Partial<RecordKeys> {
  readonly size: number
  readonly readText: (number: number) => Buffer
  /** Reads a record for filters and sortings. Default: its parsed JSON. */
  readonly readRecord?: (number: number) => JsonObject
  readonly signed?: boolean
}

export function createCollection(options: CollectionOptions): Collection {
  const { size, readText, filters = {}, sortings = {}, signed = false } = options
  const { readRecord = (number) => JSON.parse(readText(number).toString()) as JsonObject } = options
  return { size, readText, filters, sortings, columns: createColumns(size, readRecord), signed }
}

export function createListCollection(records: readonly JsonObject[], keys: Partial<RecordKeys> = {}): Collection {
  return createCollection({
    size: records.length,
    readText: (number) => Buffer.from(JSON.stringify(records[number])),
    ...keys,
  })
}

/** Bytes of records that may still be kept in memory, shared by all kinds of records. */
export interface Allowance {
  bytes: number
}

/**
 * Creates the JSON of records as UTF-8. Generating a record costs about 75 µs, so as many as the allowance covers are
 * kept, which makes a stream of them several times faster. Callers must not change a text.
 */
export function createRecordTexts(write: (number: number) => string, allowance: Allowance): (number: number) => Buffer {
  const kept = new Map<number, Buffer>()
  return (number) => {
    const known = kept.get(number)
    if (known !== undefined) return known
    const text = Buffer.from(write(number))
    const cost = text.length + bookkeepingBytes
    if (cost <= allowance.bytes) {
      allowance.bytes -= cost
      kept.set(number, text)
    }
    return text
  }
}

const bookkeepingBytes = 200
