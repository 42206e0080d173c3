import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test, vi } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import type { RunProfile } from '../../../src/kernel/profile/run-profile.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { mix, seedRange } from '../../../src/sandbox/data/seed.ts'
import { cases } from '../../depth.ts'
import { RunFolder } from '../run-folder.ts'

test('coverage and lengths of lists in a profile equal those that DuckDB finds in the raw lines', async () => {
  const folder = await RunFolder.create()
  const lines = Buffer.concat([...generateLines({ contract: 'v4/product', records: cases(3000, 200), seed: 3 })])
  const extra = [
    '{"id":"X1","photos":[null]}',
    '{"id":"X2","publicPrice":0,"name":{"nl":""}}',
    '{"id":"X3","ean":[null]}',
  ]
  const raw = await folder.write('input.ndjson', Buffer.concat([lines, Buffer.from(`${extra.join('\n')}\n`)]))
  const { coverage, listLengths } = await readProfile(folder)
  const lengths = await readRaw(
    raw,
    `SELECT least(len(list_filter(${list('$.photos')}, lambda x: ${isThere})), 10) AS n, count(*) FROM records GROUP BY ALL ORDER BY n`,
  )
  const [status, ...others] = coverage ?? []
  expect(toRows(status?.groups)).toEqual(new Set((await readGroups(raw, `r ->> '$.status'`)).map(String)))
  expect(others).toEqual([])
  expect(status?.columns.map(({ label }) => label)).toEqual(labels)
  const [photos] = listLengths ?? []
  const counts = (photos?.counts ?? []).flatMap((rows, length) => (rows === 0 ? [] : [[String(length), String(rows)]]))
  expect(counts).toEqual(lengths.map((row) => row.map(String)))
  await folder.remove()
})

test('coverage by brand equals that of DuckDB for 1,500 brands, whatever reads the lines', async () => {
  const folder = await RunFolder.create()
  const raw = await folder.write('input.ndjson', toCatalogue(cases(40_000, 6000), 1500))
  const profiles = [
    await readProfile(folder, withExamples, { workers: 2 }),
    await readProfile(folder, withExamples, { workers: 0 }),
  ]
  for (const kernel of ['wasm', 'reference']) {
    vi.stubEnv('CATALOGUE_KERNEL', kernel)
    profiles.push(await readProfile(folder, withExamples, { workers: 2 }))
  }
  vi.unstubAllEnvs()
  const groups = await readGroups(raw, brand)
  const ranked = groups.toSorted(([a, one], [b, other]) => Number(other) - Number(one) || compareNames(a, b))
  const rest = ranked.slice(8).map((row) => row.slice(1).map(Number))
  const sums = rest.reduce((total, row) => total.map((each, at) => each + (row[at] as number)))
  expect(ranked.length).toBeGreaterThan(1200)
  for (const { coverage } of profiles) {
    const found = coverage?.find(({ by }) => by === 'brands[0].name')
    expect(found?.groups.map(toRow)).toEqual(ranked.slice(0, 8).map(String))
    expect(found?.others).toEqual({ groups: rest.length, rows: sums[0], filled: sums.slice(1) })
  }
  await folder.remove()
})

test('a profile has no coverage by brand beyond 10,000 brands, and cuts names of more than 1,024 bytes', async () => {
  const folder = await RunFolder.create()
  const brands = async (names: readonly string[]) => {
    const lines = names.map((nl, id) =>
      JSON.stringify({ id: `P${id}`, status: 'active', brands: [{ id: 1, name: { nl } }] }),
    )
    await folder.write('input.ndjson', `${lines.join('\n')}\n`)
    const { coverage = [] } = await readProfile(folder, withExamples)
    return coverage.find(({ by }) => by === 'brands[0].name')
  }
  const long = 'é'.repeat(512)
  expect((await brands([`${long}a`, `${long}b`, long]))?.groups).toMatchObject([{ value: long, rows: 3 }])
  const many = Array.from({ length: 10_000 }, (_, at) => `Brand ${at}`)
  expect((await brands(many))?.others?.groups).toBe(9992)
  expect(await brands([...many, 'One more'])).toBeUndefined()
  await folder.remove()
})

const withExamples: Partial<PipelineConfig> = { report: { examples: true } }

async function readProfile(
  folder: RunFolder,
  changes: Partial<PipelineConfig> = {},
  options: { readonly workers?: number } = {},
): Promise<RunProfile> {
  const { source: _, ...others } = changes
  await folder.run(
    { locales: ['nl', 'fr'], contract: { invalidValues: null }, completeness: 'report', ...others },
    options,
  )
  return JSON.parse(await readFile(join(folder.out, '_profile.json'), 'utf8')) as RunProfile
}

/** Products of brands of every size, some without one, some names long, alike at their beginning, or escaped. */
function toCatalogue(records: number, brands: number): string {
  let drawn = 0
  const draw = () => mix(++drawn) / seedRange
  const names = Array.from({ length: brands }, (_, at) => toName(draw() * 5.02, at))
  const lines = Array.from({ length: records }, (_, at) => {
    const name = names[Math.floor(draw() ** 2 * brands)]
    const mayHave = (member: string, value: unknown) => (draw() < 0.5 ? { [member]: value } : {})
    const record = {
      id: `P${at}`,
      ...mayHave('status', 'active'),
      ...(draw() < 0.9 && { brands: [{ id: 1, name: at % 3 === 0 ? { fr: name } : { nl: name } }] }),
      ...mayHave('name', { nl: 'Crème', fr: at % 2 === 0 ? null : 'Crème' }),
      ...mayHave('publicPrice', 100),
      ...mayHave('photos', [{ photoType: at % 4 === 0 ? 'packshot' : 'banner' }]),
      ...mayHave('cnk', '1234567'),
      ...mayHave('ean', [null, '5412345678908'].slice(at % 2)),
      ...(at % 5 === 0 && { eanGtin13: '5412345678908' }),
    }
    return JSON.stringify(record)
  })
  return `${lines.join('\n')}\n`
}

function toName(kind: number, at: number): string {
  const common = 'Laboratoire de la Crème '
  const kinds = [
    `Brand ${at}`,
    common.repeat(1 + (at % 40)) + at,
    `${at}`,
    `"Quoted"\t\\${at}`,
    `${'名'.repeat(at % 50)}${at}`,
    '',
  ]
  return kinds[Math.floor(kind)] as string
}

const labels = ['name nl', 'name fr', 'price', 'packshot', 'cnk', 'EAN or GTIN']
const isThere = `coalesce(json_type(x), 'NULL') <> 'NULL'`
/** An empty text is no name: the next locale is taken, as by `fallback`. */
const brand = `coalesce(nullif(r ->> '$.brands[0].name.nl', ''), nullif(r ->> '$.brands[0].name.fr', ''))`
const gtins = ['gtin', 'eanGtin8', 'eanGtin12', 'eanGtin13', 'eanGtin14'].map((name) => has(`$.${name}`))

/** By group: the records, and how many have each part. */
async function readGroups(raw: string, group: string): Promise<unknown[][]> {
  const packshots = any('$.photos', `json_extract_string(x, '$.photoType') = 'packshot'`)
  const names = ['$.name.nl', '$.name.fr', '$.publicPrice'].map(has)
  const parts = [...names, packshots, has('$.cnk'), [any('$.ean', isThere), ...gtins].join(' OR ')]
  const counts = parts.map((part) => `count(*) FILTER (${part})`)
  return readRaw(raw, `SELECT ${group}, count(*), ${counts.join(', ')} FROM records GROUP BY ALL`)
}

async function readRaw(raw: string, sql: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const records = `(SELECT coalesce(json_extract(json, '$.result'), json) AS r FROM read_ndjson_objects('${raw}'))`
  return (await connection.runAndReadAll(`WITH records AS ${records} ${sql}`)).getRowsJson()
}

type Group = { readonly value: string | null; readonly rows: number; readonly filled: readonly number[] }

function toRow({ value, rows, filled }: Group): string {
  return [value, rows, ...filled].join(',')
}

function toRows(groups: readonly Group[] = []): Set<string> {
  return new Set(groups.map(toRow))
}

/** As UTF-8, the records without a name last. */
function compareNames(one: unknown, other: unknown): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return Buffer.compare(Buffer.from(one as string), Buffer.from(other as string))
}

function has(path: string): string {
  return `coalesce(json_type(r, '${path}'), 'NULL') <> 'NULL'`
}

function list(path: string): string {
  return `CASE json_type(r, '${path}') WHEN 'ARRAY' THEN json_extract(r, '${path}[*]') ELSE [json_extract(r, '${path}')] END`
}

function any(path: string, value: string): string {
  return `len(list_filter(${list(path)}, lambda x: ${value})) > 0`
}
