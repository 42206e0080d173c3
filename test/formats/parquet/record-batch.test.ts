import { describe, expect, it } from 'vitest'
import { createRecordBatchEncoder } from '../../../src/formats/parquet/record-batch-encoder.ts'
import { countBatchRows, countBuffers, readRecordBatch } from '../../../src/formats/parquet/record-batch.ts'
import { column, everyColumn, everyRow } from '../every-type.ts'

const batch = createRecordBatchEncoder(everyColumn)(everyRow)
const refused = expect.objectContaining({ code: 'OUTPUT_FAILED' })

it('the rows of a record batch are counted', () => {
  expect(readRecordBatch(everyColumn, batch).rows).toBe(everyRow.length)
  expect(countBatchRows(batch)).toBe(everyRow.length)
  expect(countBatchRows(createRecordBatchEncoder(everyColumn)([]))).toBe(0)
})

it('a column of a record batch has a buffer for each of its parts', () => {
  const counts = [column('a', 'text'), column('b', 'date'), column('c', 'json', true), column('d', 'boolean', true)]
  expect(counts.map((each) => countBuffers([each]))).toEqual([3, 2, 5, 4])
  expect(countBuffers(counts)).toBe(14)
})

it('a record batch may be anywhere in a buffer', () => {
  const bytes = new Uint8Array(batch.length + 3)
  bytes.set(batch, 3)
  expect(readRecordBatch(everyColumn, bytes.subarray(3))).toEqual(readRecordBatch(everyColumn, batch))
})

describe('bytes that are no record batch of the columns', () => {
  it.each([
    ['nothing', new Uint8Array()],
    ['zeros', new Uint8Array(1024)],
    ['noise', Uint8Array.from({ length: 1024 }, (_, index) => (index * 7919) % 251)],
    ['a batch that is cut', batch.subarray(0, -16)],
    ['a batch with more behind it', Buffer.concat([batch, new Uint8Array(16)])],
    ['a head alone', withWord(batch.slice(0, 48), 4, 48)],
    ['another number of rows', withWord(batch, 0, everyRow.length + 8)],
    ['a buffer that starts elsewhere', withWord(batch, 16, 0)],
    ['a buffer that ends elsewhere', withWord(batch, 20, 0)],
    ['a buffer far beyond the end', withWord(batch, 20, 0xff_ff_ff_f0)],
  ])('bytes that are no record batch of the columns are refused: %s', (_, bytes) => {
    expect(() => readRecordBatch(everyColumn, bytes)).toThrow(refused)
  })

  it('a record batch of other columns is refused', () => {
    const kinds = [column('a', 'text'), column('a', 'date'), column('a', 'boolean'), column('a', 'json', true)]
    for (const [index, own] of kinds.entries()) {
      const bytes = createRecordBatchEncoder([own])([[null], [null]])
      readRecordBatch([own], bytes)
      for (const other of kinds.filter((_, at) => at !== index)) {
        expect(() => readRecordBatch([other], bytes)).toThrow(refused)
      }
      expect(() => readRecordBatch([own, own], bytes)).toThrow(refused)
    }
    expect(() => readRecordBatch(everyColumn.toReversed(), batch)).toThrow(refused)
  })
})

function withWord(bytes: Uint8Array, at: number, word: number): Uint8Array {
  const changed = Buffer.from(bytes)
  changed.writeUInt32LE(word, at)
  return changed
}
