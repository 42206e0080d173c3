import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { generatedFiles } from '../../build/generated-files.ts'
import { readConfigDocument } from '../../src/config/config-document.ts'
import { contractNames, contracts, type ContractName } from '../../src/contracts/contracts.ts'
import { checkPipeline } from '../../src/plan/check-pipeline.ts'
import type { PipelinePlan } from '../../src/plan/pipeline-plan.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { runInMemory } from '../cli/memory-terminal.ts'
import { readyFiles, readyPath } from './ready-rig.ts'
import type { Manifest } from '../../src/manifest/manifest.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const work = await mkdtemp(join(tmpdir(), 'pipelines-'))
const records = 60

afterAll(() => rm(work, { recursive: true }))

/** The plan of one of the ready pipelines, without any secret. */
async function planReady(file: string): Promise<PipelinePlan> {
  const { value } = await readConfigDocument(readyPath(file))
  return checkPipeline(value, { env: {}, needsService: false, now: Date.UTC(2026, 0, 1) }).plan!
}

test('pipelines have no problem, and to check them no variable has to be set', async () => {
  const paths = readyFiles.map(readyPath)
  const { exitCode, stdout } = await runInMemory(['check', ...paths, '--json'])
  expect({ exitCode, ...(JSON.parse(stdout) as object) }).toMatchObject({ exitCode: 0, ok: true, problems: [] })
})

describe.each(readyFiles)('%s', (file) => {
  test('a pipeline names its schema to editors, and its purpose to people', async () => {
    const [first, second] = (await readFile(readyPath(file), 'utf8')).split('\n')
    expect(first).toBe('# yaml-language-server: $schema=./pipeline.schema.json')
    expect(second).toMatch(/^# \S.*\.$/)
  })

  test('a pipeline has the name of its file, and reads from the service', async () => {
    const { name, source } = await planReady(file)
    expect({ file: `${name}.yaml`, source: source.kind }).toEqual({ file, source: 'service' })
  })
})

test('a pipeline that reads from the service reads files where these are given, and needs no account then', async () => {
  const landed = join(work, 'landed.ndjson')
  await writeFile(landed, Buffer.concat([...generateLines({ contract: 'v4/product', records, seed: 3 })]))
  const paths = ['products.yaml', 'products-analyst.yaml'].map(readyPath)
  const { exitCode, stdout } = await runInMemory(['run', ...paths, '--from', landed, '--out', work, '--json'])
  const { runs } = JSON.parse(stdout) as { runs: { report: Manifest }[] }
  const [all, sifted] = runs.map(({ report }) => report.ledger)
  expect({ exitCode, all, sifted }).toMatchObject({ exitCode: 0, all: { lines: records, accepted: records } })
  expect(sifted!.accepted).toBeLessThan(records)
  expect(sifted!.accepted + sifted!.filtered).toBe(records)
})

test('every resource has a pipeline of its name or of its contract, products for both versions', async () => {
  const plans = await Promise.all(readyFiles.map(planReady))
  const covered = new Set(plans.flatMap(({ name, records: { contract } }) => [name, nameOf(contract)]))
  const lacking = contractNames.filter((name) => name !== 'raw' && !covered.has(nameOf(name)))
  expect(lacking).toEqual([])
  expect(plans.map(({ records: { contract } }) => contract)).toEqual(
    expect.arrayContaining(['v3/product', 'v4/product']),
  )
})

/** The plural of a record, as pipelines are named. */
const nameOf = (contract: ContractName): string => contracts[contract].plural.replaceAll('_', '-')

test('no two pipelines write the same files', async () => {
  const plans = await Promise.all(readyFiles.map(planReady))
  // A workbook has several tables.
  const paths = plans.flatMap((plan) => [
    ...new Set([...plan.outputs.files, plan.report.rejects, plan.report.manifest].map(({ path }) => path)),
  ])
  expect(new Set(paths).size).toBe(paths.length)
})

test.each([...(await generatedFiles())])('%s is what the code makes of it', async (path, content) => {
  expect(await readFile(join(root, path), 'utf8')).toBe(content)
})
