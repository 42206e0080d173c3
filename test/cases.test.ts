import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { checkPipeline } from '../src/plan/check-pipeline.ts'
import { readConfigDocument } from '../src/config/config-document.ts'
import type { PipelinePlan } from '../src/plan/pipeline-plan.ts'
import { runPlan } from '../src/engine/run/run-pipeline.ts'
import { CatalogueError } from '../src/errors.ts'
import { describeParquet } from './engine/outputs/describe-parquet.ts'
import type { Manifest } from '../src/manifest/manifest.ts'

/*
 * Every folder of fixtures/cases is a case: `pipeline.yaml`, its input, and in `expected/` every file that the run leaves
 * but its manifest and profile, byte for byte. Beside them is `report.json`, the parts of the manifest that are the same in every run, or
 * `error.json`, how the run failed. `UPDATE=1 npx vitest run test/cases.test.ts` writes the expectations anew: read the
 * difference as a sceptic.
 */

const casesFolder = fileURLToPath(new URL('../fixtures/cases/', import.meta.url))
const names = (await readdir(casesFolder)).toSorted()
const workFolder = await mkdtemp(join(tmpdir(), 'cases-'))
const isUpdate = process.env['UPDATE'] === '1'

afterAll(() => rm(workFolder, { recursive: true }))

describe('a case leaves exactly the files it expects', () => {
  test.concurrent.each(names)('a case leaves exactly the files it expects: %s', async (name) => {
    const folder = join(casesFolder, name)
    const outDir = join(workFolder, name)
    const left = await runCase(folder, outDir)
    const expectedFolder = join(folder, 'expected')
    if (isUpdate) await replaceFolder(expectedFolder, left)
    expect(Object.fromEntries(left)).toEqual(Object.fromEntries(await readTexts(expectedFolder)))
  })
})

/** Runs a case and gives the text of every file it leaves, by relative path. */
async function runCase(folder: string, outDir: string): Promise<ReadonlyMap<string, string>> {
  await mkdir(outDir)
  const plan = await planCase(folder, outDir)
  const outcome = await runCasePlan(plan, outDir)
  const texts = new Map([...(await readTexts(outDir)), outcome])
  // All but the profile hold times; it is held to the rows by tests of its own.
  for (const companion of ['_manifest.json', '_profile.json', '_report.html', '_report.failed.html', '_runs.ndjson'])
    texts.delete(companion)
  const withoutPlaces = (text: string): string => text.replaceAll(`${folder}/`, '').replaceAll(`${outDir}/`, 'out/')
  return new Map([...texts].map(([path, text]) => [path, withoutPlaces(text)]))
}

/** The plan of `pipeline.yaml`, whose source is beside it and whose `out/` is `outDir`. */
async function planCase(folder: string, outDir: string): Promise<PipelinePlan> {
  const { value, problems } = await readConfigDocument(join(folder, 'pipeline.yaml'))
  const config = value as { source: { files: string | string[] } }
  const files = [config.source.files].flat().map((file) => join(folder, file))
  const placed = { ...config, source: { ...config.source, files } }
  const checked = checkPipeline(placed, { env: {}, needsService: true, outDir, now: Date.UTC(2026, 0, 1) })
  expect([...problems, ...checked.problems]).toEqual([])
  return checked.plan!
}

async function runCasePlan(plan: PipelinePlan, outDir: string): Promise<[file: string, text: string]> {
  try {
    const report = await runPlan(plan)
    await checkManifest(report)
    return ['report.json', formatJson(toStableReport(report, outDir))]
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    const { code, exitCode, message, outputs } = error
    return ['error.json', formatJson({ code, exitCode, message, outputs })]
  }
}

/** The manifest is the report, and what it says of the files is so. */
async function checkManifest(report: Manifest): Promise<void> {
  expect(JSON.parse(await readFile(report.manifest, 'utf8'))).toEqual(report)
  for (const { path, bytes, sha256 } of report.files) {
    const content = await readFile(path)
    expect({ path, bytes, sha256 }).toEqual({
      path,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })
  }
  const { lines, blank, rejected, filtered, duplicate, accepted } = report.ledger
  expect(blank + rejected + filtered + duplicate + accepted).toBe(lines)
}

/** The parts that are the same in every run of the same input, config and version. */
function toStableReport(report: Manifest, outDir: string): object {
  const { contract, sources, ledger, completeness, drift, rejects } = report
  const tables = report.tables.map(({ name, rows, filtered }) => {
    const columns = report.files.find(({ table }) => table === name)?.columns ?? []
    return { name, rows, filtered, columns: columns.map((column) => `${column.name} ${column.type}`).join(', ') }
  })
  const files = report.files.map(({ table, path, rows }) => `${relative(outDir, path)}: ${table}, ${rows} rows`)
  return {
    contract: contract.name,
    sources: sources.map(({ name, lines, bytes }) => `${name}: ${lines} lines, ${bytes} bytes`),
    ledger,
    completeness,
    drift: sortKeys(drift),
    tables,
    files,
    rejects: rejects.count,
  }
}

/** The order of counts is no promise. */
function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]))
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** The text of every file below a folder, by relative path; of Parquet files a description. */
async function readTexts(folder: string): Promise<Map<string, string>> {
  const paths = (await readdir(folder, { recursive: true })).toSorted()
  const texts = new Map<string, string>()
  for (const path of paths) {
    const full = join(folder, path)
    if ((await stat(full)).isDirectory()) continue
    if (path.endsWith('.parquet')) texts.set(`${path}.txt`, await describeParquet(full))
    else if (path.endsWith('.gz')) texts.set(`${path}.txt`, gunzipSync(await readFile(full)).toString())
    else texts.set(path, await readFile(full, 'utf8'))
  }
  return texts
}

async function replaceFolder(folder: string, texts: ReadonlyMap<string, string>): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const [path, text] of texts) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}
