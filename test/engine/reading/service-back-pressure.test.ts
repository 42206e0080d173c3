import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { buildChild } from '../../built-child.ts'
import { ServiceStub } from '../../service/read/service-stub.ts'
import { RunFolder } from '../run-folder.ts'

const mebibyte = 1024 * 1024

/** The bytes that the sockets of both sides and the buffers of the client may hold. */
const betweenBytes = 16 * mebibyte

describe('a run whose disk is slower than the service', { timeout: 60_000 }, () => {
  test.each(['gzip', 'identity'] as const)(
    'a run whose disk is slower than the service reads no faster than it writes: %s',
    async (encoding) => {
      const lines = generateLines(12_000)
      const body = encoding === 'gzip' ? gzipSync(lines, { level: 1 }) : lines
      expect(body.length).toBeGreaterThan(2 * betweenBytes)
      let sent = 0
      await using stub = await ServiceStub.start(async (response) => {
        response.writeHead(200, { 'content-encoding': encoding })
        // In the pieces in which a server writes what it compresses.
        for (let at = 0; at < body.length; at += 16_384) {
          const piece = body.subarray(at, at + 16_384)
          sent += piece.length
          if (!response.write(piece)) await once(response, 'drain')
        }
        response.end()
      })
      let mostAhead = 0
      const peak = await runInChild(stub.url, (taken) => {
        mostAhead = Math.max(mostAhead, sent - (taken / lines.length) * body.length)
      })
      expect(sent).toBe(body.length)
      expect(mostAhead).toBeLessThan(betweenBytes)
      expect(peak).toBeLessThan(80 * mebibyte)
    },
  )
})

/** Lines that compress badly, as the pieces are counted where they are compressed. */
function generateLines(total: number): Buffer {
  const lines = Array.from({ length: total }, (_, index) => {
    const text = randomBytes(3000).toString('base64')
    return `{"meta":{"total":${total},"index":${index}},"result":{"id":"M${index}E","name":{"nl":"${text}"}}}\n`
  })
  return Buffer.from(lines.join(''))
}

/** Resolves with the most memory that its buffers had; reports how much it has taken whenever that is more. */
async function runInChild(baseUrl: string, onTaken: (bytes: number) => void): Promise<number> {
  const folder = await RunFolder.create()
  const args = [await buildChild('slow-disk-child.ts'), baseUrl, folder.out, '20']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let peak = Number.NaN
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('peak ')) peak = Number(line.slice(5))
    else onTaken(Number(line))
  }
  await folder.remove()
  return peak
}
