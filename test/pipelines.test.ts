import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { generatedFiles } from '../docs/generated-files.ts'
import { checkPipeline } from '../src/config/check-pipeline.ts'
import { readConfigDocument } from '../src/config/config-document.ts'
import type { PipelinePlan } from '../src/config/pipeline-plan.ts'
import { contractNames } from '../src/contracts/contracts.ts'
import { runPlan } from '../src/engine/run-pipeline.ts'
import { generateLines } from '../src/sandbox/generate-lines.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = join(root, 'pipelines')
const files = (await readdir(folder)).filter((file) => file !== 'pipeline.schema.json')
const work = await mkdtemp(join(tmpdir(), 'pipelines-'))
const records = 200

afterAll(() => rm(work, { recursive: true }))

/** The plan of one of the ready pipelines, over data in `dataDir`. Fails on any problem. */
async function planReady(file: string, dataDir: string, outDir?: string): Promise<PipelinePlan> {
  const { value, problems } = await readConfigDocument(join(folder, file))
  const env = { CATALOGUE_DATA: dataDir }
  const checked = checkPipeline(value, { env, needsService: true, outDir, now: Date.UTC(2026, 0, 1) })
  expect([...problems, ...checked.problems]).toEqual([])
  return checked.plan!
}

describe.each(files)('%s', (file) => {
  test('tells editors its schema, and people what it is', async () => {
    const [first, second] = (await readFile(join(folder, file), 'utf8')).split('\n')
    expect(first).toBe('# yaml-language-server: $schema=./pipeline.schema.json')
    expect(second).toMatch(/^# \S.*\.$/)
  })

  test('has the name of its file, and reads a file of that name or of another pipeline', async () => {
    const plan = await planReady(file, 'data')
    expect(`${plan.name}.yaml`).toBe(file)
    expect(plan.source).toMatchObject({ kind: 'files' })
    const source = plan.source.kind === 'files' ? plan.source.files : []
    for (const pattern of source) expect(files).toContain(/^data\/([\w-]+)\./.exec(pattern)?.[1]?.concat('.yaml'))
  })

  test(`publishes ${records} generated records`, async () => {
    const name = file.replace('.yaml', '')
    const dataDir = join(work, name)
    const plan = await planReady(file, dataDir, join(work, 'out'))
    const [pattern = ''] = plan.source.kind === 'files' ? plan.source.files : []
    await writeGenerated(pattern.replace(/\{.*\}$/, 'ndjson'), dataDir, plan)
    const report = await runPlan(plan)
    expect(report.completeness).toMatchObject({ status: 'proven', total: records })
    const { lines, accepted, filtered, rejected } = report.ledger
    expect({ lines, rejected, accepted: accepted + filtered }).toEqual({
      lines: records,
      rejected: 0,
      accepted: records,
    })
    expect(accepted).toBeGreaterThan(0)
    expect(report.files).toHaveLength(plan.files.length)
    expect(report.tables[0]!.rows).toBeGreaterThan(0)
    expect(JSON.parse(await readFile(plan.manifest.path, 'utf8'))).toEqual(report)
  })
})

async function writeGenerated(path: string, dataDir: string, { contract }: PipelinePlan): Promise<void> {
  expect(path.startsWith(`${dataDir}/`)).toBe(true)
  await mkdir(dataDir, { recursive: true })
  await writeFile(path, Buffer.concat([...generateLines({ contract, records, seed: 3 })]))
}

test('every resource has a pipeline, products for both versions', async () => {
  const plans = await Promise.all(files.map((file) => planReady(file, 'data')))
  const covered = plans.map(({ contract }) => contract)
  const resources = new Set(covered.map(resourceOf))
  expect(contractNames.filter((name) => !resources.has(resourceOf(name)))).toEqual([])
  expect(covered).toEqual(expect.arrayContaining(['v3/product', 'v4/product']))
})

const resourceOf = (contract: string): string => contract.slice('v4/'.length)

test('no two pipelines write the same files', async () => {
  const plans = await Promise.all(files.map((file) => planReady(file, 'data')))
  const paths = plans.flatMap((plan) => [...plan.files, plan.rejects, plan.manifest].map(({ path }) => path))
  expect(new Set(paths).size).toBe(paths.length)
})

test.each([...generatedFiles()])('%s is what the code makes of it', async (path, content) => {
  expect(await readFile(join(root, path), 'utf8')).toBe(content)
})
