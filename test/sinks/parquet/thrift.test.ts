import * as fc from 'fast-check'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  formatInteger,
  formatList,
  formatStruct,
  formatText,
  parseInteger,
  parseList,
  parseStruct,
  type ThriftField,
  thriftTypes,
} from '../../src/sinks/parquet/thrift.ts'
import { everyColumn, everyRow } from './every-type.ts'
import { queryDuckDb } from './query-duckdb.ts'
import { writeParquet } from './write-parquet.ts'

describe('a footer, parsed to its last value and formatted again, is the same', () => {
  it('of our files', async () => {
    const footer = toFooter(await writeParquet(everyColumn, [everyRow, everyRow], { rowGroupRows: 1 }))
    expect(reformat(thriftTypes.struct, footer)).toEqual(footer)
  })

  it('of files of DuckDB', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'thrift-'))
    try {
      const path = join(folder, 'duck.parquet')
      const columns = `i AS id, [i, NULL] AS list, {'a': i / 3, 'b': MAP {i: i::TEXT}} AS nested, i > 5 AS flag`
      const options = `FORMAT parquet, ROW_GROUP_SIZE 2048, KV_METADATA {key: 'value'}`
      await queryDuckDb(`COPY (SELECT ${columns} FROM range(10000) r(i)) TO '${path}' (${options})`)
      const footer = toFooter(await readFile(path))
      expect(reformat(thriftTypes.struct, footer)).toEqual(footer)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a struct', () => {
  it('keeps fields of any id and type, in the order of their ids', () => {
    const fields = new Map<number, ThriftField>([
      [1, { type: thriftTypes.true, bytes: Uint8Array.of() }],
      [2, { type: thriftTypes.false, bytes: Uint8Array.of() }],
      [17, { type: thriftTypes.byte, bytes: Uint8Array.of(0x80) }],
      [33, { type: thriftTypes.double, bytes: new Uint8Array(8).fill(0xff) }],
      [300, { type: thriftTypes.binary, bytes: new Uint8Array(formatText('é'.repeat(100))) }],
      [301, { type: thriftTypes.list, bytes: Uint8Array.of(0x11, 2) }],
      [32_000, { type: thriftTypes.struct, bytes: Uint8Array.of(0) }],
    ])
    const bytes = formatStruct(new Map([...fields].toReversed()))
    expect([...parseStruct(new Uint8Array(bytes))]).toEqual([...fields])
    expect(reformat(thriftTypes.struct, bytes)).toEqual(bytes)
  })

  it('that is cut, goes on, or has a value of no type is refused', () => {
    const whole = formatStruct(new Map([[3, { type: thriftTypes.binary, bytes: formatText('text') }]]))
    const bad = [whole.subarray(0, -1), whole.subarray(0, 3), Buffer.concat([whole, whole]), Uint8Array.of(0x1b, 0, 0)]
    for (const bytes of [...bad, new Uint8Array()]) {
      expect(() => parseStruct(bytes)).toThrow(expect.objectContaining({ code: 'OUTPUT_FAILED' }))
    }
  })
})

it('a list has any number of elements', () => {
  for (const length of [0, 1, 14, 15, 16, 128, 5000]) {
    const elements = Array.from({ length }, (_, index) => formatInteger(index))
    const list = parseList(formatList({ type: thriftTypes.int64, elements }))
    expect(list.elements.map(parseInteger)).toEqual(Array.from({ length }, (_, index) => index))
  }
})

it('an integer comes back up to 2^52, and is refused beyond', () => {
  const limit = 2 ** 52 - 1
  fc.assert(
    fc.property(fc.integer({ min: -limit, max: limit }), (value) => {
      expect(parseInteger(formatInteger(value))).toBe(value)
    }),
  )
  for (const value of [0, -1, 1, 63, 64, -64, -65, 2 ** 31, -(2 ** 31), 2 ** 40, limit, -limit]) {
    expect(parseInteger(formatInteger(value))).toBe(value)
  }
  expect(() => parseInteger(Buffer.from('ffffffffffffffffff01', 'hex'))).toThrow('too large')
})

/** Takes everything apart and puts it together again. */
function reformat(type: number, bytes: Uint8Array): Uint8Array {
  if (type === thriftTypes.struct) {
    const fields = [...parseStruct(bytes)].map(
      ([id, field]) => [id, { ...field, bytes: reformat(field.type, field.bytes) }] as const,
    )
    return formatStruct(new Map(fields))
  }
  if (type === thriftTypes.list) {
    const list = parseList(bytes)
    return formatList({ ...list, elements: list.elements.map((element) => reformat(list.type, element)) })
  }
  const isInteger = type >= thriftTypes.int16 && type <= thriftTypes.int64
  return isInteger ? Buffer.from(formatInteger(parseInteger(bytes))) : bytes
}

function toFooter(file: Buffer): Buffer {
  const length = file.readUInt32LE(file.length - 8)
  return file.subarray(file.length - 8 - length, file.length - 8)
}
