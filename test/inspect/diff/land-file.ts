import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { LandingManifest } from '../../../src/manifest/manifest.ts'

/** Writes a file as `fetch` leaves it, with its manifest. */
export async function landFile(path: string, lines: string, startedAt: string, contract = 'v4/product'): Promise<void> {
  const bytes = path.endsWith('.gz') ? gzipSync(lines) : Buffer.from(lines)
  const count = lines.split('\n').length - 1
  const manifest: LandingManifest = {
    kind: 'landing',
    format: 1,
    tool: { name: 'catalogue-etl', version: '0.1.0' },
    pipeline: 'products',
    contract: { name: contract, version: 1 },
    endpoint: `${contract}s/stream`,
    baseUrl: 'https://catalogue.example.com',
    request: { method: 'POST', path: '/', filter: {}, sorting: {}, page: null, partition: null },
    startedAt,
    finishedAt: startedAt,
    firstAnswerAt: startedAt,
    lines: count,
    bytes: Buffer.byteLength(lines),
    file: { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    completeness: { status: 'proven', reasons: [], total: count },
    notes: { requests: 1, waitedMs: 0, repeats: [], changes: [], skippedRecords: 0, missing: [] },
  }
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  await writeFile(`${path}.manifest.json`, JSON.stringify(manifest))
}
