import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { GzipWriter } from '../../src/storage/gzip-writer.ts'

// A stream that waits for room when it is destroyed calls nobody back.
test.each([0, 1, 20])(
  'a chunk that fails after %i ms fails a write or the end of the gzip writer, and no call hangs',
  async (ms) => {
    for (const blockBytes of [1000, 100_000, 1_000_000]) {
      const writer = new GzipWriter(async () => {
        await sleep(ms)
        throw new Error('disk full')
      })
      const writing = (async () => {
        for (let written = 0; written < 4_000_000; written += blockBytes) await writer.write(randomBytes(blockBytes))
        await writer.end()
      })()
      await expect(writing).rejects.toThrow('disk full')
      await expect(writer.write(randomBytes(10))).rejects.toThrow('disk full')
    }
  },
)
