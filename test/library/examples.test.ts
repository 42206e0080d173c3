import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readService } from '../../src/index.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { queryDuckDb } from '../formats/query-duckdb.ts'
import { dialects } from '../sandbox/dialects.ts'
import { fewOf, isDeep } from '../depth.ts'

/* The examples of docs/library.md and docs/serverless.md, compiled and run as they are written. */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const wrongLine = '{"meta":{"total":121,"index":120},"result":{"id":"M2","photos":[{"displayOrder":"first"}]}}\n'
const entries = {
  'catalogue-etl/streams': join(root, 'src/streams.ts'),
  'catalogue-etl': join(root, 'src/index.ts'),
}
/** All that the examples print, in order. */
const printed = [
  'example-1.ts',
  expect.stringMatching(/^1[12]\d products, proven, true$/),
  'example-2.ts',
  expect.stringMatching(/^\d+ photos sent, proven$/),
  'example-3.ts',
  expect.stringMatching(/^1[12]\d records, proven, in \d+ files$/),
  'example-4.ts',
  expect.stringMatching(/^\d+ endpoints know updatedSince$/),
  expect.stringMatching(/^source\.endpoint: unknown endpoint, .* \(v4\/products\/stream\)$/),
  'example-5.ts',
  expect.stringMatching(/^proven, 1\d\d products with 1 request$/),
  'example-6.ts',
  'proven, 121 in all',
  'example-7.ts',
  expect.stringMatching(/^\d rejected$/),
  'example-8.ts',
  'example-9.ts',
  'proven, 121 in all',
  'example-10.ts',
  expect.stringMatching(/^M\w+ was changed last$/),
  'example-11.ts',
  expect.stringMatching(/^\d+ brands$/),
  'example-12.ts',
  'product_id, position, id',
  'example-13.ts',
  'example-14.ts',
  'example-15.ts',
  expect.stringMatching(/^\d+ products sent$/),
  'handler.ts',
  'try-handler.ts',
  expect.stringMatching(/^\{ records: \d+, completeness: 'proven' \}$/),
]

let folder: string
let names: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-examples-'))
  const pages = await Promise.all(
    ['library', 'serverless'].map((name) => readFile(join(root, `docs/${name}.md`), 'utf8')),
  )
  const blocks = pages.flatMap((page) => [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code))
  names = blocks.map((code, index) => /^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `example-${index + 1}.ts`)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(join(folder, 'run.mjs'), toRunner(names))
  await Promise.all(names.map((name, index) => writeFile(join(folder, name), blocks[index] ?? '')))
})

afterAll(() => rm(folder, { recursive: true }))

test.runIf(isDeep)('the examples of the library compile', async () => {
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
  const compiled = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
  await expect(compiled.catch((error: { stdout: string }) => error.stdout)).resolves.toMatchObject({ stdout: '' })
})

describe.each(fewOf(dialects, 'loose'))('the examples of the library over %s answers', (dialect) => {
  test('the examples of the library run, and leave what they say', async () => {
    const { stdout, stderr } = await runExamples(dialect)
    expect(stdout.trim().split('\n')).toEqual(printed)
    const rejected = 'line 121 rejected'
    const explained = 'line 121: expected a whole number of at most 64 bits, got text "first"'
    const complaints = stderr.trim().split('\n')
    expect(complaints.filter((line) => line.startsWith('line 121'))).toEqual([
      explained,
      rejected,
      explained,
      rejected,
      rejected,
    ])
    const others = complaints.filter((line) => !line.startsWith('line 121'))
    // Values that no contract takes come in the loose dialect alone.
    expect(others.filter((line) => dialect === 'documented' || !/^line \d+/.test(line))).toEqual([])
    expect(await readText('products.csv')).toMatch(/^id,.*,margin\nM/)
    expect(JSON.parse((await readText('rejects.ndjson')).trim().split('\n').at(-1) ?? '')).toMatchObject({
      line: 121,
      id: 'M2',
    })
    expect(await readText('photos.csv')).toMatch(/^product_id,position,.*\nM/)
    expect(await readText('photos.ndjson')).toMatch(/^\{"product_id":"M/)
    expect(await readText('cheap.csv')).toMatch(/^id,public_price\n/)
    expect(await readText('brands.csv')).toMatch(/^product_id;position;id;.*\nM/)
    const products = `SELECT count(*) > 100, count(DISTINCT id) = count(*) FROM '${join(folder, 'products.parquet')}'`
    expect(await queryDuckDb(products)).toEqual([[true, true]])
    const prices = `SELECT typeof(public_price), typeof(seen_at), count(*) > 20 FROM '${join(folder, 'prices.parquet')}' GROUP BY ALL`
    expect(await queryDuckDb(prices)).toEqual([['DECIMAL(12,2)', 'TIMESTAMP WITH TIME ZONE', true]])
  })
})

/** Runs all of them beside an export of a service, and with the service in the environment. */
async function runExamples(dialect: (typeof dialects)[number]): Promise<{ stdout: string; stderr: string }> {
  const sandbox = await startSandbox({ products: 120, rateLimit: false, dialect, images: false })
  const { baseUrl, keyId, keySecret } = sandbox
  try {
    const lines = await text(readService({ endpoint: 'v4/products/stream', baseUrl, keyId, keySecret }))
    await writeFile(join(folder, 'export.ndjson'), lines.replaceAll('"total":120,', '"total":121,') + wrongLine)
    await rm(join(folder, 'rejects.ndjson'), { force: true })
    const access = { CATALOGUE_URL: baseUrl, CATALOGUE_KEY_ID: keyId, CATALOGUE_KEY_SECRET: keySecret }
    const env = { ...process.env, ...access, TMPDIR: folder }
    return await run(process.execPath, ['run.mjs'], { cwd: folder, env })
  } finally {
    await sandbox.close()
  }
}

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
