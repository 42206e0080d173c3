import type { Bounds } from '../formats/parquet/column-chunk.ts'
import type { EncodedRowGroup } from '../formats/parquet/row-group-encoder.ts'
import type { Column } from '../records/flatten/column.ts'
import { typeOf } from '../types/column-types.ts'

/** Statistics of a data file, from the bounds of its row groups, as `add` has them: JSON with exact numbers. */
export class FileStatistics {
  readonly #columns: readonly Column[]
  readonly #bounds: (ColumnBounds | null)[]
  #rows = 0

  constructor(columns: readonly Column[]) {
    this.#columns = columns
    this.#bounds = columns.map((column) => (column.list ? null : { nulls: 0, min: null, max: null, isKnown: true }))
  }

  add({ rows, columns: chunks }: Pick<EncodedRowGroup, 'rows' | 'columns'>): void {
    this.#rows += rows
    for (const [at, { nulls, values, bounds }] of chunks.entries()) {
      const column = this.#columns[at] as Column
      const of = this.#bounds[at] ?? null
      if (of === null) continue
      of.nulls += nulls
      // A NaN has no place in an order.
      if (bounds === null && nulls < values) of.isKnown = false
      if (bounds === null) continue
      const [min, max] = readBounds(column, bounds)
      if (of.min === null || precedes(min, of.min)) of.min = min
      if (of.max === null || precedes(of.max, max)) of.max = max
    }
  }

  format(): string {
    const counted = this.#columns.flatMap((column, at) => {
      const bounds = this.#bounds[at] ?? null
      return bounds === null || !isIndexed(at, this.#columns.length) ? [] : [{ column, bounds }]
    })
    const list = (toText: (column: Column, bounds: ColumnBounds) => string | null) => {
      const members = counted.flatMap(({ column, bounds }) => {
        const text = toText(column, bounds)
        return text === null ? [] : [`${JSON.stringify(column.name)}:${text}`]
      })
      return `{${members.join(',')}}`
    }
    const mins = list((column, bounds) => formatBound(column, bounds, 'min'))
    const maxs = list((column, bounds) => formatBound(column, bounds, 'max'))
    const nulls = list((_, bounds) => String(bounds.nulls))
    return `{"numRecords":${this.#rows},"minValues":${mins},"maxValues":${maxs},"nullCount":${nulls}}`
  }
}

interface ColumnBounds {
  nulls: number
  min: Bound | null
  max: Bound | null
  isKnown: boolean
}

type Bound = bigint | number | Buffer

/** As many columns as Delta's own writers count by default, and those that a mode adds at the end. */
function isIndexed(at: number, columns: number): boolean {
  return at < mostIndexed || at >= columns - mostModeColumns
}

const mostIndexed = 32
const mostModeColumns = 3

function readBounds({ type }: Column, { min, max }: Bounds): [Bound, Bound] {
  const { physical } = typeOf(type).parquet
  const read = (bytes: Uint8Array): Bound => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    switch (physical) {
      case 'boolean':
        return buffer.readUInt8()
      case 'int32':
        return BigInt(buffer.readInt32LE())
      case 'int64':
        return buffer.readBigInt64LE()
      case 'double':
        return buffer.readDoubleLE()
      case 'byteArray':
        return buffer
      case 'fixedLenByteArray':
        return BigInt.asIntN(buffer.length * 8, BigInt(`0x${buffer.toString('hex')}`))
    }
  }
  return [read(min), read(max)]
}

function precedes(one: Bound, other: Bound): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) < 0
  return one < other
}

/** Null for a bound that readers might take for another one. */
function formatBound({ type }: Column, bounds: ColumnBounds, end: 'min' | 'max'): string | null {
  const bound = bounds[end]
  if (bound === null || !bounds.isKnown) return null
  switch (type.kind) {
    case 'boolean':
    case 'json':
      return null
    case 'text':
      return formatText(bound as Buffer)
    case 'integer':
      return String(bound)
    case 'float':
      return Number.isFinite(bound) ? JSON.stringify(bound) : null
    case 'date':
      return JSON.stringify(typeOf(type).format(Number(bound)))
    case 'timestamp':
      return JSON.stringify(new Date(toMilliseconds(bound as bigint, end)).toISOString())
    case 'decimal':
      // Readers take it for a float.
      return Number.isSafeInteger(Number(bound)) ? typeOf(type).format(bound as bigint) : null
  }
}

/** Rounds away from the values, as bounds have milliseconds. */
function toMilliseconds(micros: bigint, end: 'min' | 'max'): number {
  const whole = micros / 1000n
  const rest = micros % 1000n
  if (rest === 0n || (end === 'min' && rest > 0n) || (end === 'max' && rest < 0n)) return Number(whole)
  return Number(end === 'min' ? whole - 1n : whole + 1n)
}

/** Long text is cut in the bounds, maybe within a character. */
function formatText(bytes: Buffer): string | null {
  try {
    return JSON.stringify(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return null
  }
}
