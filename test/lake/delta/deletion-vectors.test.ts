import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeletionVector } from '../../../src/lake/delta/actions.ts'
import { formatVectors, readVector } from '../../../src/lake/delta/deletion-vectors.ts'
import { decodeRows, encodeRows } from '../../../src/lake/delta/row-bitmap.ts'
import { decodeZ85, encodeZ85 } from '../../../src/lake/delta/z85.ts'
import { createLocalStorage } from '../../../src/storage/local-storage.ts'

const storage = createLocalStorage()
let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'lake-'))))
afterAll(() => rm(folder, { recursive: true }))

/** The vector of the protocol's third example, whose frame is an older one: of its bytes the bitmap of 32 bits. */
const example = {
  rows: [3, 4, 7, 11, 18, 29],
  bitmap: decodeZ85('wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L').subarray(12),
}

describe('deletion vectors', () => {
  test('the rows of the vector that the protocol shows have its bitmap, and are read where they are in the log', async () => {
    const bytes = encodeRows(example.rows)
    expect(bytes.subarray(16)).toEqual(example.bitmap)
    const vector = { storageType: 'i', pathOrInlineDv: encodeZ85(bytes), sizeInBytes: bytes.length, cardinality: 6 }
    expect(await readVector(storage, folder, vector)).toEqual(example.rows)
  })

  test('any sets of rows are read as they were written, from one file', async () => {
    const row = fc.oneof(fc.nat(300_000), fc.nat({ max: 2 ** 32 - 1 }))
    const block = fc
      .tuple(fc.nat(5), fc.nat(60_000))
      .map(([at, length]) => Array.from({ length }, (_, each) => at * 70_000 + each))
    const rows = fc.oneof(
      fc.uniqueArray(row, { minLength: 1 }),
      block.filter((own) => own.length > 0),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 3 }), async (drawn) => {
        const sets = drawn.map((own) => own.toSorted((one, other) => one - other))
        const { path, bytes, vectors } = formatVectors(folder, sets)
        await storage.create(path, bytes)
        const read = []
        for (const vector of vectors) read.push(await readVector(storage, folder, vector))
        expect(read).toEqual(sets)
      }),
      { numRuns: 20 },
    )
  })

  test('runs of rows, as other engines write them, are read', () => {
    // Of RoaringFormatSpec: the magic number, one bitmap with the key 0, one container of two runs.
    const bytes = Buffer.alloc(12 + 4 + 4 + 1 + 4 + 10)
    bytes.writeUInt32LE(1_681_511_377, 0)
    bytes.writeBigUInt64LE(1n, 4)
    bytes.writeUInt32LE(12_347, 16)
    bytes.writeUInt8(1, 20)
    bytes.writeUInt16LE(0, 21)
    bytes.writeUInt16LE(5, 23)
    for (const [at, value] of [2, 10, 2, 20, 2].entries()) bytes.writeUInt16LE(value, 25 + 2 * at)
    expect(decodeRows(bytes)).toEqual([10, 11, 12, 20, 21, 22])
  })

  test('a vector whose file is gone or damaged is refused', async () => {
    const { vectors, path, bytes } = formatVectors(folder, [[1, 2]])
    await storage.create(path, bytes)
    const [vector] = vectors as [DeletionVector]
    await expect(readVector(storage, folder, { ...vector, cardinality: 3 })).rejects.toMatchObject({
      code: 'TARGET_MISMATCH',
    })
    await rm(path)
    await expect(readVector(storage, folder, vector)).rejects.toMatchObject({
      code: 'TARGET_MISMATCH',
      message: `${folder}: a deletion vector can't be read: expected a file, got none at ${path}`,
    })
  })

  test('base 85 has the digits of its specification', () => {
    expect(encodeZ85(Buffer.from('864fd26fb559f75b', 'hex'))).toBe('HelloWorld')
    expect(decodeZ85('HelloWorld').toString('hex')).toBe('864fd26fb559f75b')
  })
})
