import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readReusing } from '../../src/sources/file-bytes.ts'

describe('reads of a file', () => {
  let folder: string
  let path: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-reads-'))
    path = join(folder, 'lines.ndjson')
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('reads of a file give its bytes, in one buffer', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => at % 251))
    await writeFile(path, bytes)
    const copies: Buffer[] = []
    const buffers = new Set<unknown>()
    for await (const read of readReusing(path, new AbortController().signal)) {
      copies.push(Buffer.from(read))
      buffers.add(read.buffer)
    }
    expect(Buffer.concat(copies).equals(bytes)).toBe(true)
    expect(copies.length).toBeGreaterThan(1)
    expect(buffers.size).toBe(1)
  })

  test('reads of a file end once they are aborted, and let other tasks run', async () => {
    await writeFile(path, Buffer.alloc(10_000_000))
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 0)
    let read = 0
    for await (const { length } of readReusing(path, stop.signal)) read += length
    expect(read).toBeLessThan(10_000_000)
  })

  test('reads of a file fail where there is no file', async () => {
    const reads = readReusing(join(folder, 'none'), new AbortController().signal)
    await expect(reads.next()).rejects.toThrow('ENOENT')
  })
})
