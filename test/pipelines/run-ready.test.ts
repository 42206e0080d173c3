import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelinePlan } from '../../src/plan/pipeline-plan.ts'
import type { SourcePlan } from '../../src/plan/source/source-plan.ts'
import { runInMemory } from '../cli/memory-terminal.ts'
import { cases, fewOf, someOf } from '../depth.ts'
import { dialects } from '../sandbox/dialects.ts'
import { queryDuckDb, type Row } from './read-outputs.ts'
import { ReadyRig, readyPath, runnableFiles } from './ready-rig.ts'
import { countElements, readRecords, type ServiceRecord } from './service-records.ts'

const products = cases(200, 40)

/** Records that a pipeline takes of all that its endpoint has; the others take every one. */
const taken: Record<string, (record: ServiceRecord) => boolean> = {
  photos: ({ type }) => type === 'photo',
  frontals: ({ type }) => type === 'frontal',
  'media-links': ({ type }) => type === 'link',
  'products-analyst': ({ status }) => status === 'active' || status === 'replaced',
  images: ({ status }) => status === 'active',
  'web-shop': ({ status, publicPrice }) => status === 'active' && Number(publicPrice) >= 1,
  'my-codes': ({ cnk }) =>
    ['8933173', '7669076', '4400575', '446014', '497929'].includes(String(cnk).replace(/^0+/, '')),
}

describe.each(fewOf(dialects, 'documented'))('ready pipelines against the %s dialect', (dialect) => {
  let rig: ReadyRig

  beforeAll(async () => {
    rig = await ReadyRig.start({ products, dialect })
  })
  afterAll(() => rig.close())

  // The nightly ones into a bucket and PostgreSQL are run by nightly.test.ts at each depth.
  const elsewhere = new Set(['nightly-s3.yaml', 'nightly-postgres.yaml'])
  // That has a row a line of its list: jobs/jobs.test.ts runs it.
  const whole = runnableFiles.filter((file) => file !== 'price-list.yaml')
  test.each(someOf(whole, ...whole.filter((file) => !elsewhere.has(file))))(
    '%s publishes every record of the service that it asks for, in every table and output',
    async (file) => {
      const plan = await rig.plan(file)
      const records = await readTaken(plan.name, plan.source)
      const { report } = await rig.run(file)
      expect(report.ledger).toMatchObject({ accepted: records.length, rejected: 0, duplicate: 0, blank: 0 })
      expect(records.length).toBeGreaterThan(0)
      expect(report.completeness.status).toBe(isBare(plan) && dialect === 'documented' ? 'unprovable' : 'proven')
      for (const { name, each, builtin } of plan.records.tables) {
        if (builtin !== undefined) continue
        const path = each.flatMap((step) => (step.kind === 'field' ? [step.name] : []))
        const keys = records.flatMap((record) => Array<string>(countElements(record, path)).fill(String(record['id'])))
        const outputs = (await rig.readTable(plan.outputs, report, name)).map(listKeys)
        const count =
          plan.outputs.files.length / plan.records.tables.length + (plan.outputs.stateful?.databases.length ?? 0)
        expect({ [name]: outputs }).toEqual({ [name]: Array(count).fill(keys.toSorted()) })
      }
    },
  )

  test('the query of docs/warehouses.md finds v3 and v4 to have the same products with the same codes and prices', async () => {
    for (const file of ['compare-v3.yaml', 'compare-v4.yaml']) await rig.run(file)
    const page = await readFile(new URL('../../docs/warehouses.md', import.meta.url), 'utf8')
    const [, query = ''] = /```sql\n(SELECT[^`]*compare-v3[^`]*)```/.exec(page) ?? []
    const [row = []] = await queryDuckDb(query.replaceAll("'out/", `'${rig.work}/out/`))
    const [onlyV3, onlyV4, status, cnk, price] = row.map(Number)
    expect({ onlyV3, onlyV4, cnk, price }).toEqual({ onlyV3: 0, onlyV4: 0, cnk: 0, price: 0 })
    // Statuses that only v4 has are another one in v3.
    expect(status).toBeGreaterThan(0)
  })

  test('products-both over landed products of v3 and v4 has those of both, of one in both that of v4', async () => {
    const [v3, v4] = ['v3.ndjson.gz', 'v4.ndjson.gz'].map((name) => join(rig.work, name)) as [string, string]
    for (const [file, to] of [
      ['products-v3.yaml', v3],
      ['products-both.yaml', v4],
    ] as const)
      expect(await runInMemory(['fetch', readyPath(file), '--to', to], { env: rig.env })).toMatchObject({ exitCode: 0 })
    const { report } = await rig.run('products-both.yaml', '--from', v3, v4)
    expect(report.ledger.duplicate).toBeGreaterThan(0)
    const path = report.files.find(({ table, format }) => table === 'products' && format === 'parquet')!.path
    const counted = await queryDuckDb(
      `WITH v3 AS (SELECT json->'result'->>'id' AS id FROM read_ndjson_objects('${v3}')),
        v4 AS (SELECT json->'result'->>'id' AS id FROM read_ndjson_objects('${v4}'))
      SELECT count(*) FILTER (interface_version = 'v4')::INT, (SELECT count(*) FROM v4)::INT,
        count(*) FILTER (interface_version = 'v3')::INT, (SELECT count(*) FROM v3 ANTI JOIN v4 USING (id))::INT
      FROM read_parquet('${path}')`,
    )
    const [ofV4, sentV4, ofV3, onlyV3] = counted[0]!.map(Number)
    expect([ofV4, ofV3]).toEqual([sentV4, onlyV3])
  })

  test('a landed night of raw products has every record as it was sent, and becomes the table of products-raw', async () => {
    const landed = join(rig.work, 'products.ndjson.gz')
    const call = ['fetch', readyPath('products-raw.yaml'), '--to', landed]
    expect(await runInMemory(call, { env: rig.env })).toMatchObject({ exitCode: 0 })
    const lines = gunzipSync(await readFile(landed))
      .toString()
      .split('\n')
      .slice(0, -1)
    const sent = lines.map((line) => (JSON.parse(line) as { result: ServiceRecord }).result)
    const { report } = await rig.run('products-raw.yaml', '--from', landed)
    const rows = await queryDuckDb(`SELECT record FROM '${report.files[0]!.path}'`)
    expect(rows.map(([record]) => JSON.parse(record as string) as unknown)).toEqual(sent)
    expect(report.completeness).toMatchObject({ status: 'proven', total: products })
  })

  async function readTaken(name: string, source: SourcePlan): Promise<ServiceRecord[]> {
    if (source.kind !== 'service') throw new Error(`${name}: expected an endpoint`)
    const records = await readRecords(rig.sandbox, source.endpoint)
    return records.filter(taken[name] ?? (() => true))
  }
})

/** The first column of every row: the record's id. */
function listKeys(rows: readonly Row[]): string[] {
  return rows.map((row) => String(Object.values(row)[0])).toSorted()
}

/** A list of v3: nothing says how much there should be. */
const isBare = ({ source }: PipelinePlan): boolean => source.kind === 'service' && source.path.endsWith('/all')
