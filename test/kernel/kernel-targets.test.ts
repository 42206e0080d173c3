import { existsSync } from 'node:fs'
import { cp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { BuiltCli, CliProcess } from '../cli/built-cli.ts'
import { RunFolder } from '../cli/run-folder.ts'
import { cases } from '../depth.ts'

/* The same runs on native code, on WebAssembly, and on the reference path. */

const oddLines = [
  '{"meta":{"total":9,"index":0},"result":{"id":"A","name":{"nl":"een","fr":"u\\u006e","zz":"x"},"unknown":[{"a":1.50}]}}',
  '{"result":{"id":"B","cnk":"0012345","photos":[{"id":1},{"id":"two"}]}}',
  '{"id":"C","prices":[{"price":9007199254740993}],"vat":1e400}',
  '{"id":"D","name":"a\\ud83d\\ude00b \\ud83d","cnk":12}',
  '{"id":"E",',
  '{"id":"F","name":{"nl":"\u0001"}}',
  '\t{ "id" : "G" , "deletedAt" : 253402300800 } ',
]
const binary = `kernel-${process.platform}-${process.arch}.node`
const hasBinary = existsSync(join(import.meta.dirname, '../../src/records/memory', binary))

let cli: BuiltCli
let folder: RunFolder
let config: string

beforeAll(async () => {
  ;[cli, folder] = await Promise.all([BuiltCli.build(), RunFolder.create()])
  const products = Buffer.concat([...generateLines({ contract: 'v4/product', records: cases(5000, 300), seed: 5 })])
  await folder.write('products.ndjson', Buffer.concat([products, Buffer.from(`${oddLines.join('\n')}\n`)]))
  config = await folder.write(
    'all.yaml',
    JSON.stringify({
      name: 'all',
      source: { files: folder.at('products.ndjson'), contract: 'v4/product' },
      completeness: 'report',
      rejects: { limit: 20 },
      outputs: ['parquet', 'csv', 'ndjson'].map((format) => ({ format, path: `out/{table}.${format}` })),
    }),
  )
})

afterAll(() => folder.remove())

async function runOn(kernel: string, workers: number) {
  await rm(folder.out, { recursive: true, force: true })
  const options = { cwd: folder.path, env: { CATALOGUE_KERNEL: kernel } }
  const { code, stdout } = await cli
    .start(['run', config, '--json', '--quiet', '--workers', String(workers)], options)
    .end()
  expect(code).toBe(0)
  const { runs } = JSON.parse(stdout) as { runs: { report: { tool: { kernel: string }; runId: string } }[] }
  const outputs = await folder.readOutputs()
  const tables = Object.entries(outputs).filter(([name]) => /\.(?:parquet|csv|ndjson)$/.test(name))
  return { tool: runs[0]?.report.tool.kernel, runId: runs[0]?.report.runId, tables }
}

describe('the kernel', () => {
  test.skipIf(!hasBinary)('writes the same bytes as native code, as WebAssembly and without one', async () => {
    const native = await runOn('native', 0)
    expect(native.tables.length).toBeGreaterThan(60)
    expect(await runOn('wasm', 0)).toEqual({ ...native, tool: 'wasm' })
    expect(await runOn('reference', 0)).toEqual({ ...native, tool: 'reference' })
    expect(await runOn('native', 2)).toEqual(native)
  })

  test.skipIf(!hasBinary)('is WebAssembly if the binary can not be loaded, and --version says why', async () => {
    const copy = folder.at('package')
    await cp(join(cli.path, '../..'), copy, { recursive: true, filter: (path) => !path.endsWith('.node') })
    await symlink(join(import.meta.dirname, '../../node_modules'), join(copy, 'node_modules'))
    const ask = (kernel: string) =>
      new CliProcess(join(copy, 'dist/cli.js'), ['--version'], { env: { CATALOGUE_KERNEL: kernel } }).end()
    expect((await ask('')).stdout).toMatch(
      /^\S+\nkernel: WebAssembly \(no native code for \w+-\w+: Cannot find module .*\)\n$/,
    )
    expect(await ask('native')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /CATALOGUE_KERNEL: expected native code for \w+-\w+, got none: Cannot find/,
      ) as string,
    })
  })

  test('is refused by another name before anything is read', async () => {
    const { code, stderr } = await cli
      .start(['run', config], { cwd: folder.path, env: { CATALOGUE_KERNEL: 'fast' } })
      .end()
    expect(code).toBe(2)
    expect(stderr).toContain('CATALOGUE_KERNEL: expected native, wasm or reference, got "fast"')
  })
})
