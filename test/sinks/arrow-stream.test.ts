import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { createArrowEncoder } from '../../src/sinks/arrow.ts'
import { joinArrowStreams, parseArrowStream } from '../../src/sinks/arrow-stream.ts'
import { splitArrowStream } from '../../src/sinks/split-arrow-stream.ts'
import { everyColumn, everyRow } from './every-type.ts'

const encode = createArrowEncoder(everyColumn)

describe('a stream', () => {
  it('has its rows counted, one batch or many', () => {
    const { schema, batches, rows } = parseArrowStream(encode(everyRow))
    expect(rows).toBe(everyRow.length)
    expect(parseArrowStream(joinArrowStreams(schema, [batches, batches, batches])).rows).toBe(rows * 3)
    expect(parseArrowStream(joinArrowStreams(schema, [])).rows).toBe(0)
    expect(parseArrowStream(encode([])).rows).toBe(0)
  })

  it('is the same when its parts are joined again', () => {
    const bytes = encode(everyRow)
    const { schema, batches } = parseArrowStream(bytes)
    expect(Buffer.compare(joinArrowStreams(schema, [batches]), bytes)).toBe(0)
  })

  it('begins with the same schema for the same columns only', () => {
    const { schema } = parseArrowStream(encode(everyRow))
    expect(parseArrowStream(encode([])).schema).toEqual(schema)
    expect(parseArrowStream(createArrowEncoder(everyColumn.toReversed())([])).schema).not.toEqual(schema)
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['zeros', new Uint8Array(1000)],
    ['noise', Uint8Array.from({ length: 1000 }, (_, index) => (index * 7919) % 251)],
    ['a stream that is cut', encode(everyRow).subarray(0, -8)],
    ['a stream that is cut in its schema', encode(everyRow).subarray(0, 100)],
  ])('is not %s', (_, bytes) => {
    expect(() => parseArrowStream(bytes)).toThrow(expect.objectContaining({ code: 'OUTPUT_FAILED' }))
  })
})

describe('parts of a stream', () => {
  it.each([
    [1, 1],
    [1, 2],
    [2, 3],
    [5, 100],
    [6, 1],
  ])('of %i, then of %i rows hold those rows', (first, rows) => {
    const expected = [everyRow.slice(0, first)]
    for (let start = first; start < everyRow.length; start += rows) expected.push(everyRow.slice(start, start + rows))
    const parts = splitArrowStream(encode(everyRow), first, rows)
    expect(parts.map(readCells)).toEqual(expected.map((part) => readCells(encode(part))))
    expect(parts.map((part) => parseArrowStream(part).schema)).toEqual(
      expected.map((part) => parseArrowStream(encode(part)).schema),
    )
  })
})

function readCells(bytes: Uint8Array): string[][] {
  const table = tableFromIPC(bytes)
  return Array.from({ length: table.numRows }, (_, row) =>
    table.schema.names.map((name) => String(table.getChild(name)?.get(row))),
  )
}
