import type { ColumnType } from '../../records/flatten/column.ts'
import { cellBytes, type ColumnLayout } from '../table-memory.ts'

/** The columns of a table as wasm/encode/encode-cells.ts reads them, the texts before the values of NDJSON behind; a multiple of 8 bytes. */
export function toColumnProgram(columns: readonly ColumnLayout[]): Buffer {
  const keys = columns.map(({ name }, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`))
  const words = new Uint32Array(columns.length * wordsAColumn)
  let keyAt = words.byteLength
  for (const [index, { type, list, seconds }] of columns.entries()) {
    const keyLength = keys[index]?.length ?? 0
    const { precision, scale } = type.kind === 'decimal' ? type : { precision: 0, scale: 0 }
    const kind = seconds ? secondsKind : kinds[type.kind]
    words.set([index * cellBytes, kind, Number(list), scale, precision, keyAt, keyLength], index * wordsAColumn)
    keyAt += keyLength
  }
  const program = Buffer.alloc(Math.ceil(keyAt / 8) * 8)
  Buffer.concat([Buffer.from(words.buffer), ...keys]).copy(program)
  return program
}

const wordsAColumn = 7

const kinds: Readonly<Record<ColumnType['kind'], number>> = {
  text: 0,
  integer: 1,
  float: 2,
  boolean: 3,
  timestamp: 4,
  date: 6,
  decimal: 7,
  json: 8,
}
const secondsKind = 5
