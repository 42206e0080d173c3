import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { buildChild } from '../../built-child.ts'
import { answerMany, ServiceStub } from './service-stub.ts'

interface ChildReport {
  readonly bytes: number
  readonly peak: number
  readonly status: string
}

describe('a large stream', { timeout: 30_000 }, () => {
  test('a large stream takes no more memory than a small one', async () => {
    await using stub = await ServiceStub.start(answerMany(30_000))
    const { bytes, peak, status } = await readInChild(stub.url)
    expect(bytes).toBeGreaterThan(150_000_000)
    expect(status).toBe('proven')
    expect(peak).toBeLessThan(100_000_000)
  })

  test('a large stream is taken no faster than it is consumed', async () => {
    const ahead: number[] = []
    const blockPauseMs = 80
    let started = 0
    await using stub = await ServiceStub.start(
      answerMany(5000, (written) => {
        started ||= performance.now()
        // A block of a megabyte every 80 ms is what it takes at most.
        ahead.push(written - ((performance.now() - started) / blockPauseMs) * 1_048_576)
      }),
    )
    const { bytes } = await readInChild(stub.url, blockPauseMs)
    expect(bytes).toBeGreaterThan(25_000_000)
    expect(Math.max(...ahead)).toBeLessThan(12_000_000)
  })
})

/** A process that reads the stream, so that its memory is nobody else's. */
async function readInChild(baseUrl: string, pauseMs = 0): Promise<ChildReport> {
  const args = [await buildChild('reading-child.ts'), baseUrl, String(pauseMs)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as ChildReport
}
