import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointNames, endpoints } from '../../../src/service/endpoints/endpoints.ts'
import { parseConfigText } from '../../../src/config/config-document.ts'
import { contractNames } from '../../../src/contracts/contracts.ts'
import { runPlan } from '../../../src/engine/run/run-pipeline.ts'
import { draftExport, draftService, listFormats, type ConfigDraft } from '../../../src/describe/init/config-draft.ts'
import { formatConfig } from '../../../src/describe/init/format-config.ts'
import { surveyExport } from '../../../src/describe/init/survey-export.ts'
import { checkPipeline } from '../../../src/plan/check-pipeline.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { someOf } from '../../depth.ts'

const { signal } = new AbortController()
const env = { DATABASE_URL: 'postgres://user:password@localhost:5432/database' }
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'format-config-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const format = (draft: ConfigDraft) => formatConfig(draft, { file: 'new.yaml', schema: './pipeline.schema.json' })

/** Plans a config, and fails if it has a problem. */
function planText(text: string, outDir?: string) {
  const { value, problems } = parseConfigText('new.yaml', text)
  const checked = checkPipeline(value, { env, needsService: false, needsDatabases: true, outDir, now: Date.now() })
  expect([...problems, ...checked.problems]).toEqual([])
  return checked.plan!
}

/** Uncomments the parts of a config that are comments. */
function uncomment(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (line) => line.replace('# ', ''))
}

describe.each(someOf(contractNames, 'v4/product', 'v3/organization', 'raw'))(
  'a config for an export of %s',
  (contract) => {
    let draft: ConfigDraft

    beforeAll(async () => {
      const path = join(folder, `${contract.replace('/', '-')}.ndjson`)
      await writeFile(path, Buffer.concat([...generateLines({ contract, records: 40, seed: 1 })]))
      draft = draftExport('new', await surveyExport([path], { contract, signal }))
    })

    test('has no problem, and its run accepts every line', async () => {
      const plan = planText(format(draft), join(folder, contract))
      const report = await runPlan(plan, { signal })
      expect(report.ledger).toMatchObject({ lines: 40, accepted: 40 })
      expect(report.tables.map(({ name }) => name)).toEqual(draft.tables.map(({ name }) => name))
      expect(report.drift.otherLocales).toEqual({})
    })

    test('has no problem with the parts that its comments offer', () => {
      const text = format({ ...draft, outputs: listFormats(contract).filter((name) => name !== 'xlsx') })
      planText(format({ ...draft, outputs: ['xlsx', 'ndjson'] }))
      planText(text)
      planText(uncomment(text, /^# (?:where|duplicates|rejects).*$/gm))
      if (contract === 'raw') return
      const [root = ''] = draft.tables.map(({ name }) => name)
      const chosen = text.replace(new RegExp(`^  ${root}: \\{\\}.*\\n`, 'm'), '')
      const [tables = '', outputs = ''] = chosen.split(/^(?=outputs:)/m)
      const columns = planText(uncomment(tables, /^  # .*$/gm) + outputs).records.tables.find(
        ({ name }) => name === root,
      )?.columns
      expect(columns?.length).toBeGreaterThan(0)
      expect(columns?.length).toBeLessThan(8)
    })

    test('keeps tables that were not chosen as comments', () => {
      const [first] = draft.tables
      const last = draft.tables.at(-1)
      if (first === undefined || last === undefined || first === last) return
      const text = format({ ...draft, tables: [last], locales: draft.locales.slice(0, 1) })
      expect(planText(text).records.tables.map(({ name }) => name)).toEqual([last.name])
      expect(text).toContain(`  # ${first.name}: {}`)
    })
  },
)

/** The text up to the end of `source`. */
function sourceOf(text: string): string {
  return text.slice(0, text.search(/^(?:contract|locales|tables|# (?:where|incremental|rejects)):/m))
}

describe.each(endpointNames.filter((name) => endpoints[name].read !== 'find'))(
  'a config for the endpoint %s',
  (endpoint) => {
    const text = format(draftService('new', endpoint, endpoints[endpoint].contract))

    test('has no problem', () => {
      expect(planText(text).source).toMatchObject({ kind: 'service', endpoint })
    })

    test('has no problem with any filter among its comments', () => {
      const filters = Object.entries(endpoints[endpoint].filters).filter(
        ([, { deprecated }]) => deprecated === undefined,
      )
      if (filters.length === 0) return
      const plan = planText(uncomment(sourceOf(text), /^  # .*$/gm))
      if (plan.source.kind !== 'service') throw new TypeError('expected a source of the service')
      const sent = JSON.stringify(plan.source.filter)
      for (const [key] of filters) expect(sent).toContain(`"${key}":`)
    })
  },
)

test('lines of new configs are no wider than 140 columns, and none ends in a space', () => {
  for (const name of endpointNames)
    for (const line of format(draftService('new', name, endpoints[name].contract)).split('\n')) {
      expect(line.length).toBeLessThanOrEqual(140)
      expect(line).toBe(line.trimEnd())
    }
})
