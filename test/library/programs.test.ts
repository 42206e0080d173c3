import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'

/*
 * Programs that users of the library write, in programs/, and in programs/today/ the same by the ways that were documented
 * before `catalogue`. The compiler checks them with all tests.
 */

const folder = join(import.meta.dirname, 'programs')
/** Lines of code, by `catalogue` and by the ways before it. */
const counts: Readonly<Record<string, readonly [own: number, today: number]>> = {
  'abort-and-progress': [11, 43],
  'async-iteration': [6, 12],
  'filter-to-csv': [4, 33],
  'foreign-streams': [8, 21],
  'many-runs': [7, 16],
  'own-config': [11, 27],
  'own-contract': [6, 13],
  'own-database': [12, 27],
  'own-sink': [7, 28],
  'reading-back': [7, 17],
  'unit-test': [7, 15],
  'web-streams': [8, 17],
}

let cwd: string

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'programs-'))
  const exported = Buffer.concat([...generateLines({ contract: 'v4/product', records: 60, seed: 11 })])
  await writeFile(join(cwd, 'export.ndjson.gz'), gzipSync(exported))
  const stock = [{ id: 'M1', stock: { count: 3 } }, { id: 'M2' }]
  const lines = stock.map((result, index) => `${JSON.stringify({ meta: { total: 2, index }, result })}\n`)
  await writeFile(join(cwd, 'stock.ndjson'), lines)
  const jobs = [
    { where: { status: 'active' }, columns: ['id'] },
    { where: { status: 'active' }, columns: ['idd'] },
  ]
  await writeFile(join(cwd, 'jobs.json'), JSON.stringify(jobs))
})

afterAll(() => rm(cwd, { recursive: true }))

test('twelve programs print what they print by the ways before, each in at most half the lines', async () => {
  const names = (await readdir(join(folder, 'today'))).map((name) => name.replace('.ts', ''))
  expect(names.toSorted()).toEqual(Object.keys(counts))
  const found = await Promise.all(
    names.map(async (name) => [name, [await countLines(`${name}.ts`), await countLines(`today/${name}.ts`)]] as const),
  )
  expect(Object.fromEntries(found)).toEqual(counts)
  expect(found.filter(([, [own, today]]) => own > today / 2)).toEqual([])
  const [own, today] = [
    await runAll(names.map((name) => join(folder, name))),
    await runAll(names.map((name) => join(folder, 'today', name))),
  ]
  expect(own).toEqual(today)
})

async function countLines(file: string): Promise<number> {
  const lines = (await readFile(join(folder, file), 'utf8')).split('\n')
  return lines.filter((line) => !/^\s*(?:\/[/*].*)?$/.test(line)).length
}

/** What the programs print, one after the other in one process. */
async function runAll(paths: readonly string[]): Promise<string[]> {
  const script = `
    import { createJiti } from ${JSON.stringify(import.meta.resolve('jiti'))}
    const jiti = createJiti(${JSON.stringify(folder)})
    for (const path of ${JSON.stringify(paths)}) {
      console.log('---')
      await jiti.import(path + '.ts')
    }`
  await writeFile(join(cwd, 'run.mjs'), script)
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['run.mjs'], { cwd })
  expect(stderr).toBe('')
  return stdout.split('---\n').slice(1)
}
