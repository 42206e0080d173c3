import { rm } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { runDocumentSchema, toRunDocumentJsonSchema } from '../../../src/cli/log/document-schemas.ts'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let config: string

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.generate('brands.ndjson', 'v4/brand', 50)
  await folder.write('bad.ndjson', '{"id":1}\nnonsense\n')
  config = await folder.config('brands', 'brands.ndjson')
})
beforeEach(() => rm(folder.out, { recursive: true, force: true }))
afterAll(() => folder.remove())

const isPublished = compile(toRunDocumentJsonSchema())
/** A copy of the schema that refuses undocumented members. */
const isWrittenDown = compile(z.toJSONSchema(runDocumentSchema, { io: 'output' }))

/** Ignores formats, as the patterns beside them check the same. */
function compile(schema: object) {
  const validate = new Ajv2020({ validateFormats: false, strict: false, allErrors: true }).compile(schema)
  return (document: unknown) => (validate(document) ? [] : validate.errors)
}

async function run(...args: string[]): Promise<unknown> {
  const { stdout } = await runInMemory(['run', '--out', folder.out, '--json', ...args])
  return JSON.parse(stdout)
}

describe('the schema of run --json', () => {
  test.each<[string, (config: string) => string[]]>([
    ['what was published', (file) => [file]],
    ['rejects and repeated ids', (file) => [file, '--set', 'rejects.limit=5', '--set', 'duplicates=last']],
    ['a sample, with notes', (file) => [file, '--limit', '3', '--set', 'where={id: {neq: 1}}']],
    ['a failed run', (file) => [file, '--set', 'source.files=nowhere']],
    ['a config that is wrong', (file) => [file, '--set', 'nmae=1']],
    ['a command line that is wrong', (file) => [file, '--jsn']],
  ])('the schema of run --json holds, and names every member, for %s', async (_, toArgs) => {
    const document = await run(...toArgs(config))
    expect(isPublished(document)).toEqual([])
    expect(isWrittenDown(document)).toEqual([])
  })

  test('the schema of run --json holds, and names every member, for several pipelines, some of which fail', async () => {
    const bad = await folder.config('bad', 'bad.ndjson')
    const document = await run(config, bad)
    expect(document).toMatchObject({ ok: false, exitCode: 3 })
    expect(isPublished(document)).toEqual([])
    expect(isWrittenDown(document)).toEqual([])
  })
})

test('the schema of run --json holds for a pipeline that keeps a state, from its first run on', async () => {
  const outputs = '[{ format: parquet, mode: merge, removed: mark }, { format: csv, mode: history }]'
  for (const expected of [{ new: 50 }, { unchanged: 50 }]) {
    const document = await run(config, '--set', `outputs=${outputs}`)
    expect(document).toMatchObject({ ok: true, runs: [{ report: { state: { kind: 'full', changes: expected } } }] })
    expect(isPublished(document)).toEqual([])
    expect(isWrittenDown(document)).toEqual([])
  }
})

test('the schema of run --json refuses other documents', async () => {
  const document = (await run(config)) as { runs: { report: { ledger: object } }[] }
  for (const wrong of [{}, { ok: true }, { ...document, exitCode: 7 }, { ...document, runs: [{}] }]) {
    expect(isPublished(wrong)).not.toEqual([])
  }
  document.runs[0]!.report.ledger = { lines: '50' }
  expect(isPublished(document)).not.toEqual([])
})
