import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { BuiltCli } from '../../cli/built-cli.ts'
import { isDeep } from '../../depth.ts'
import { forcedWorkers } from '../../forced-workers.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder

beforeAll(async () => void (folder = await RunFolder.create()))
afterAll(() => folder.remove())

/** Starts all runs at once; prints what each wrote, and the most memory that the process took. */
const program = `
const { createHash } = await import('node:crypto')
const [, library, file, out, runs] = process.argv
const { runPipeline } = await import(library)
const run = async (_, at) => {
  const outputs = [{ format: 'csv', path: out + '/' + at + '/{table}.csv' }]
  const { files, ledger } = await runPipeline({ name: 'run' + at, source: { files: file, contract: 'v4/product' }, outputs })
  const written = files.map(({ table, sha256 }) => [table, sha256])
  return createHash('sha256').update(JSON.stringify([ledger, written])).digest('hex')
}
const written = await Promise.all(Array.from({ length: Number(runs) }, run))
console.log(JSON.stringify({ written: [...new Set(written)], bytes: process.resourceUsage().maxRSS * 1024 }))
`

test.runIf(isDeep)(
  '100 runs at once of one process, of all tables, take less than 800 MB and write what one does alone',
  async () => {
    const cli = await BuiltCli.build()
    const file = await folder.write(
      'products.ndjson',
      Buffer.concat([...generateLines({ contract: 'v4/product', records: 300, seed: 4 })]),
    )
    const library = pathToFileURL(join(cli.path, '../bundle/index.js')).href
    const start = async (runs: number): Promise<{ written: string[]; bytes: number }> => {
      const args = ['--input-type=module', '--eval', program, library, file, folder.out, String(runs)]
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        env: { ...process.env, ...forcedWorkers },
      })
      return JSON.parse(stdout) as { written: string[]; bytes: number }
    }
    const alone = await start(1)
    const { written, bytes } = await start(100)
    expect(written).toEqual(alone.written)
    expect(alone.written).toHaveLength(1)
    expect(bytes).toBeLessThan(800e6)
  },
  600_000,
)
