import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { generateLines } from '../src/sandbox/data/generate-lines.ts'

/**
 * Runs the command of a bundle twice, and keeps what V8 has compiled of its scripts in the second run, which also reads
 * the manifest of the first, beside them. The same version of V8 then takes a quarter less CPU time for a small run.
 */
export async function keepCompiled(bundled: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keep-compiled-'))
  try {
    const lines = [...generateLines({ contract: 'v4/product', seed: 1, records: 100 })]
    await writeFile(join(folder, 'products.ndjson'), Buffer.concat(lines))
    await writeFile(join(folder, 'products.yaml'), config)
    const recording = ['--import', new URL('record-scripts.mjs', import.meta.url).href]
    const command = [resolve(bundled, 'cli.js'), 'run', 'products.yaml', '--quiet']
    await promisify(execFile)(process.execPath, command, { cwd: folder })
    await promisify(execFile)(process.execPath, [...recording, ...command], { cwd: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const config = `name: products
source:
  files: products.ndjson
  contract: v4/product
outputs:
  - { format: csv, path: 'csv/{table}.csv' }
  - { format: parquet, path: 'parquet/{table}.parquet' }
`
