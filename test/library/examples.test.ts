import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { queryDuckDb } from '../formats/query-duckdb.ts'

/* The examples of docs/library.md, compiled and run as they are written. */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const wrongLine = '{"meta":{"total":121,"index":120},"result":{"id":"M2","photos":[{"displayOrder":"first"}]}}\n'
const entries = {
  'catalogue-etl/streams': join(root, 'src/streams.ts'),
  'catalogue-etl': join(root, 'src/index.ts'),
}
let folder: string
let names: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-examples-'))
  const lines = Buffer.concat([...generateLines({ contract: 'v4/product', records: 120, seed: 4 })]).toString()
  await writeFile(join(folder, 'export.ndjson'), lines.replaceAll('"total":120,', '"total":121,') + wrongLine)
  const text = await readFile(join(root, 'docs/library.md'), 'utf8')
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
  names = blocks.map((_, index) => `example-${index + 1}.ts`)
  await Promise.all(names.map((name, index) => writeFile(join(folder, name), blocks[index] ?? '')))
})

afterAll(() => rm(folder, { recursive: true }))

describe('the examples of docs/library.md', () => {
  test('the examples of docs/library.md compile', async () => {
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        paths: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, [path]])),
        typeRoots: [join(root, 'node_modules/@types')],
        rootDir: '/',
      },
      include: [...names, join(root, 'src/**/*.d.ts')],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    const compiled = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
    await expect(compiled.catch((error: { stdout: string }) => error.stdout)).resolves.toMatchObject({ stdout: '' })
  })

  test('the examples of docs/library.md run, and leave what they say', async () => {
    expect(names.length).toBeGreaterThan(5)
    await writeFile(join(folder, 'run.mjs'), toRunner(names))
    const { stdout, stderr } = await run(process.execPath, ['run.mjs'], { cwd: folder })
    expect(stdout.trim().split('\n')).toEqual([
      'example-1.ts',
      expect.stringMatching(/^120 records, proven, in \d+ files$/),
      'example-2.ts',
      'proven, 121 in all',
      'example-3.ts',
      '1 rejected',
      'example-4.ts',
      'proven, 121 in all',
      'example-5.ts',
      expect.stringMatching(/^M\w+ was changed last$/),
      'example-6.ts',
      expect.stringMatching(/^\d+ brands$/),
      'example-7.ts',
    ])
    expect(stderr.trim().split('\n')).toEqual([
      'line 121: expected a whole number of at most 64 bits, got text "first"',
      'line 121: expected a whole number of at most 64 bits, got text "first"',
      'line 121 rejected',
      'line 121 rejected',
    ])
    expect(await readText('products.csv')).toMatch(/^id,.*,margin\nM/)
    expect(JSON.parse(await readText('rejects.ndjson'))).toMatchObject({ line: 121, id: 'M2' })
    expect(await readText('photos.csv')).toMatch(/^product_id,position,.*\nM/)
    expect(await readText('photos.ndjson')).toMatch(/^\{"product_id":"M/)
    const prices = `SELECT typeof(public_price), typeof(seen_at), count(*) > 20 FROM '${join(folder, 'prices.parquet')}' GROUP BY ALL`
    expect(await queryDuckDb(prices)).toEqual([['DECIMAL(12,2)', 'TIMESTAMP WITH TIME ZONE', true]])
  })
})

function readText(name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8')
}

/** One after the other in one process, with the package by its name. */
function toRunner(files: readonly string[]): string {
  return `
    import { createJiti } from ${JSON.stringify(import.meta.resolve('jiti'))}
    const jiti = createJiti(import.meta.url, { alias: ${JSON.stringify(entries)} })
    for (const file of ${JSON.stringify(files)}) {
      console.log(file)
      await jiti.import('./' + file)
    }`
}
