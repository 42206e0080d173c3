import { describe, expect, it } from 'vitest'
import { createRecordBatchEncoder } from '../../../src/formats/parquet/record-batch-encoder.ts'
import { countBatchRows } from '../../../src/formats/parquet/record-batch.ts'
import { createRowGroupEncoder, type EncodedRowGroup } from '../../../src/formats/parquet/row-group-encoder.ts'
import type { Column } from '../../../src/records/flatten/column.ts'
import { column, everyColumn, everyRow } from '../every-type.ts'
import { listBuffers } from './read-batch-rows.ts'
import { toRowGroup } from './row-groups/row-group.ts'

const batch = createRecordBatchEncoder(everyColumn)(everyRow)
const refused = expect.objectContaining({ code: 'OUTPUT_FAILED' })

it('the rows of a record batch are counted', () => {
  expect(countBatchRows(batch)).toBe(everyRow.length)
  expect(countBatchRows(createRecordBatchEncoder(everyColumn)([]))).toBe(0)
})

it('a record batch may be anywhere in a buffer', async () => {
  const bytes = new Uint8Array(batch.length + 3)
  bytes.set(batch, 3)
  expect(await encode(everyColumn, bytes.subarray(3))).toEqual(await encode(everyColumn, batch))
})

describe('bytes that are no record batch of the columns', () => {
  const [textOffsets, listOffsets] = [startOfOffsets(false), startOfOffsets(true)]

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
    ['text offsets that do not ascend', withWord(batch, textOffsets + 4, 0x7f_ff_ff_ff)],
    ['a text offset below 0', withWord(batch, textOffsets + 8, -1)],
    ['list offsets that do not ascend', withWord(batch, listOffsets + 4, 0x7f_ff_ff_ff)],
    ['a list offset below 0', withWord(batch, listOffsets + 8, -1)],
  ])('bytes that are no record batch of the columns are refused: %s', async (_, bytes) => {
    await expect(encode(everyColumn, bytes)).rejects.toThrow(refused)
  })

  it.each([
    [-1, 2],
    [2, 1],
    [0, everyRow.length + 1],
  ])('rows %i to %i, which a record batch has not, are refused', async (from, to) => {
    await expect(encode(everyColumn, batch, from, to)).rejects.toThrow(refused)
  })

  it('a record batch of other columns is refused', async () => {
    const kinds = [column('a', 'text'), column('a', 'date'), column('a', 'boolean'), column('a', 'json', true)]
    for (const [index, own] of kinds.entries()) {
      const bytes = createRecordBatchEncoder([own])([[null], [null]])
      await encode([own], bytes, 0, 2)
      for (const other of kinds.filter((_, at) => at !== index)) {
        await expect(encode([other], bytes, 0, 2)).rejects.toThrow(refused)
      }
      await expect(encode([own, own], bytes, 0, 2)).rejects.toThrow(refused)
    }
    await expect(encode(everyColumn.toReversed(), batch)).rejects.toThrow(refused)
  })
})

async function encode(
  columns: readonly Column[],
  bytes: Uint8Array,
  from = 0,
  to = everyRow.length,
): Promise<EncodedRowGroup> {
  const encodeGroup = await createRowGroupEncoder(columns, 'none')
  return encodeGroup(toRowGroup([{ bytes, from, to }], to - from))
}

function withWord(bytes: Uint8Array, at: number, word: number): Uint8Array {
  const changed = Buffer.from(bytes)
  changed.writeInt32LE(word | 0, at)
  return changed
}

/** Where the offsets of the first column of text begin, or of the first with lists. */
function startOfOffsets(list: boolean): number {
  const index = everyColumn.findIndex((each) => each.list === list && (list || each.type.kind === 'text'))
  const buffers = listBuffers(everyColumn, batch)
  const before = listBuffers(everyColumn.slice(0, index), batch).length
  return (buffers[before + 1] as Buffer).byteOffset - batch.byteOffset
}
