import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generatedFiles } from '../docs/generated-files.ts'
import { checkPipeline } from '../src/plan/check-pipeline.ts'
import { readConfigDocument } from '../src/config/config-document.ts'
import type { PipelinePlan } from '../src/plan/pipeline-plan.ts'
import { contractNames } from '../src/contracts/contracts.ts'
import { runPlan } from '../src/engine/run/run-pipeline.ts'
import type { RunReport } from '../src/engine/run/run-report.ts'
import { generateLines } from '../src/sandbox/data/generate-lines.ts'
import { startSandbox, type Sandbox } from '../src/sandbox/start-sandbox.ts'
import { endpointNames, endpoints } from '../src/api/endpoints.ts'
import { runInMemory } from './cli/memory-terminal.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = join(root, 'pipelines')
const files = (await readdir(folder)).filter((file) => file !== 'pipeline.schema.json')
const work = await mkdtemp(join(tmpdir(), 'pipelines-'))
const records = 60
let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({ products: records, rateLimit: false })
})
afterAll(() => Promise.all([sandbox.close(), rm(work, { recursive: true })]))

/** The plan of one of the ready pipelines, for the sandbox and for files in the working folder. Fails on any problem. */
async function planReady(file: string): Promise<PipelinePlan> {
  const { value, problems } = await readConfigDocument(join(folder, file))
  const { baseUrl, keyId, keySecret } = sandbox
  const env = {
    CATALOGUE_URL: baseUrl,
    CATALOGUE_KEY_ID: keyId,
    CATALOGUE_KEY_SECRET: keySecret,
    CATALOGUE_DATA: work,
  }
  const outDir = join(work, 'out')
  const checked = checkPipeline(value, { env, needsService: true, outDir, now: Date.UTC(2026, 0, 1) })
  expect([...problems, ...checked.problems]).toEqual([])
  return checked.plan!
}

test('pipelines have no problem, and to check them no variable has to be set', async () => {
  const paths = files.map((file) => join(folder, file))
  const { exitCode, stdout } = await runInMemory(['check', ...paths, '--json'])
  expect({ exitCode, ...(JSON.parse(stdout) as object) }).toMatchObject({ exitCode: 0, ok: true, problems: [] })
})

describe.each(files)('%s', (file) => {
  test('a pipeline names its schema to editors, and its purpose to people', async () => {
    const [first, second] = (await readFile(join(folder, file), 'utf8')).split('\n')
    expect(first).toBe('# yaml-language-server: $schema=./pipeline.schema.json')
    expect(second).toMatch(/^# \S.*\.$/)
  })

  test('a pipeline has the name of its file, and reads from the service, or files of that name where no endpoint has the resource', async () => {
    const { name, source, contract } = await planReady(file)
    expect(`${name}.yaml`).toBe(file)
    const isServed = endpointNames.some((endpoint) => endpoints[endpoint].contract === contract)
    expect(source).toMatchObject(
      isServed ? { kind: 'service' } : { files: [join(work, `${name}.{ndjson,ndjson.gz,json}`)] },
    )
  })

  test('a pipeline publishes all that there is, none of it rejected', async () => {
    const plan = await planReady(file)
    if (plan.source.kind === 'files') await writeGenerated(plan)
    const asked = sandbox.requests.length
    const report = await runPlan(plan)
    const sent = sandbox.requests.slice(asked).reduce((sum, request) => sum + request.records, 0)
    const { lines, accepted, filtered, rejected } = report.ledger
    expect({ lines, rejected, accepted: accepted + filtered }).toEqual({ lines, rejected: 0, accepted: lines })
    expect(accepted).toBeGreaterThan(0)
    expect(lines).toBe(plan.source.kind === 'files' ? records : sent)
    // A list of v3 is a bare array: nothing says how much there should be.
    const isBare = plan.source.kind === 'service' && plan.source.path.endsWith('/all')
    expect(report.completeness).toMatchObject(isBare ? { status: 'unprovable' } : { status: 'proven', total: lines })
    expect(report.files).toHaveLength(plan.files.length)
    expect(report.tables[0]!.rows).toBe(accepted)
    expect(JSON.parse(await readFile(plan.manifest.path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(report)))
  })
})

async function writeGenerated({ name, contract }: PipelinePlan): Promise<void> {
  await writeFile(join(work, `${name}.ndjson`), Buffer.concat([...generateLines({ contract, records, seed: 3 })]))
}

test('a pipeline that reads from the service reads files where these are given, and needs no account then', async () => {
  const landed = join(work, 'landed.ndjson')
  await writeFile(landed, Buffer.concat([...generateLines({ contract: 'v4/product', records, seed: 3 })]))
  const paths = ['products.yaml', 'products-analyst.yaml'].map((file) => join(folder, file))
  const { exitCode, stdout } = await runInMemory(['run', ...paths, '--from', landed, '--out', work, '--json'])
  const { runs } = JSON.parse(stdout) as { runs: { report: RunReport }[] }
  const [all, sifted] = runs.map(({ report }) => report.ledger)
  expect({ exitCode, all, sifted }).toMatchObject({ exitCode: 0, all: { lines: records, accepted: records } })
  expect(sifted!.accepted).toBeLessThan(records)
  expect(sifted!.accepted + sifted!.filtered).toBe(records)
})

test('every resource has a pipeline, products for both versions', async () => {
  const plans = await Promise.all(files.map((file) => planReady(file)))
  const covered = plans.map(({ contract }) => contract)
  const resources = new Set(covered.map(resourceOf))
  expect(contractNames.filter((name) => !resources.has(resourceOf(name)))).toEqual([])
  expect(covered).toEqual(expect.arrayContaining(['v3/product', 'v4/product']))
})

const resourceOf = (contract: string): string => contract.slice('v4/'.length)

test('no two pipelines write the same files', async () => {
  const plans = await Promise.all(files.map((file) => planReady(file)))
  const paths = plans.flatMap((plan) => [...plan.files, plan.rejects, plan.manifest].map(({ path }) => path))
  expect(new Set(paths).size).toBe(paths.length)
})

test.each([...(await generatedFiles())])('%s is what the code makes of it', async (path, content) => {
  expect(await readFile(join(root, path), 'utf8')).toBe(content)
})
