import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diff, type DiffOptions } from '../../../src/inspect/diff/diff.ts'
import { connectS3 } from '../../../src/storage/s3/load-s3.ts'
import { createObjectClient } from '../../../src/storage/s3/object-client.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { cases } from '../../depth.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import { forcedWorkers } from '../../forced-workers.ts'
import { startS3 } from '../../storage/s3/start-s3.ts'
import { landFile } from './land-file.ts'
import { type DifferenceRow, recomputeDifferences, toComparable } from './recompute-differences.ts'
import { changeProducts, generateProducts, toBareLines, toStream } from './seed-changes.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diff-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, content: string | Buffer): Promise<string> {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

async function compare(old: string, next: string, options: Partial<DiffOptions> = {}) {
  const warnings: string[] = []
  const signal = new AbortController().signal
  const onWarning = (message: string) => void warnings.push(message)
  const report = await diff(old, next, { env: forcedWorkers, signal, onWarning, ...options })
  return { report, warnings, table: report.tables[0]! }
}

function product(id: string, rest: object = {}) {
  return { id, status: 'active', cnk: '0012345', publicPrice: 820, ...rest }
}

function counts({ table }: Awaited<ReturnType<typeof compare>>) {
  return [table.new, table.removed, table.changed, table.unchanged] as const
}

function problem(reason: string, fromDate: number) {
  return { reason, fromDate }
}

function generate(contract: 'v3/product' | 'v4/product'): Buffer {
  return Buffer.concat([...generateLines({ contract, records: 20, seed: 1 })])
}

function countFields(rows: readonly DifferenceRow[]): Record<string, number> {
  const ids = new Map<string, Set<string | null | undefined>>()
  for (const [id, field] of rows) if (field && field !== '$') ids.set(field, (ids.get(field) ?? new Set()).add(id))
  return Object.fromEntries([...ids].map(([field, each]) => [field, each.size]))
}

/** Those that `changeProducts` changes: none may be missing by chance. */
const changedFields = ['ean[]', 'name.de', 'name.nl', 'photos[]', 'photos[].formats.large', 'publicPrice', 'status']

describe('the difference of two exports, recomputed by DuckDB', () => {
  test.each(Array.from({ length: cases(6, 1) }, (_, seed) => seed + 1))(
    'with seeded changes: seed %i',
    async (seed) => {
      const products = generateProducts(cases(300, 150), seed)
      const old = await write(`old-${seed}.ndjson`, toStream(products))
      const next = await write(`new-${seed}.ndjson`, toStream(changeProducts(products, seed)))
      const expected = await recomputeDifferences(old, next)
      const csv = join(folder, `differences-${seed}.csv`)
      const { table } = await compare(old, next, { to: csv })

      expect(Object.fromEntries(table.fields.map(({ field, count }) => [field, count]))).toEqual(countFields(expected))
      expect(Object.keys(countFields(expected)).toSorted()).toEqual(changedFields)
      const whole = expected.filter(([, field]) => field === '$')
      const changed = new Set(expected.filter(([, field]) => field !== '$').map(([id]) => id))
      expect([table.new, table.removed, table.changed]).toEqual([
        whole.filter(([, , , before]) => before === null).length,
        whole.filter(([, , , , after]) => after === null).length,
        changed.size,
      ])
      expect(table.unchanged).toBe(products.length - table.removed - table.changed)
      const read = `SELECT * FROM read_csv('${csv}', all_varchar = true, header = true, allow_quoted_nulls = false)`
      expect(toComparable((await queryDuckDb(read)) as DifferenceRow[])).toEqual(toComparable(expected))

      const parquet = join(folder, `differences-${seed}.parquet`)
      const compressed = await write(`new-${seed}.ndjson.gz`, gzipSync(toBareLines(changeProducts(products, seed))))
      await compare(old, compressed, { to: parquet })
      const rows = (await queryDuckDb(`FROM '${parquet}'`)) as DifferenceRow[]
      expect(toComparable(rows)).toEqual(toComparable(expected))
    },
  )
})

describe('what is compared with what', () => {
  const base = [product('M1'), product('M2'), product('M3')]
  let old: string
  beforeAll(async () => {
    old = await write('base.ndjson', toStream(base))
  })
  const against = async (name: string, content: string | Buffer, options: Partial<DiffOptions> = {}) =>
    compare(old, await write(name, content), { contract: 'v4/product', ...options })

  test('an export equals itself, with a warning that it was compared with itself', async () => {
    const { report, warnings } = await compare(old, old)
    expect(report.equal).toBe(true)
    expect(warnings).toEqual([`${old}: compared with itself`])
  })

  test('envelopes, spaces, the order of keys and notations of values make no difference', async () => {
    const bare = [
      '{"status": "active", "id": "M2", "cnk": 12345, "publicPrice": "820", "name": [], "deleted": null}',
      JSON.stringify(base[0]),
      `{ "meta": { "total": 3, "index": 2 }, "result": ${JSON.stringify(base[2])} }`,
    ]
    const found = await against('forms.ndjson', `${bare.join('\r\n')}\r\n`)
    expect(found.report.equal).toBe(true)
    expect(counts(found)).toEqual([0, 0, 0, 3])
  })

  test('a JSON document can be compared with a stream', async () => {
    const found = await against('document.json', JSON.stringify({ meta: { total: 3 }, results: base }))
    expect(counts(found)).toEqual([0, 0, 0, 3])
  })

  test('the last of repeated records is compared, and the others are counted', async () => {
    const lines = [
      product('M1', { publicPrice: 1 }),
      ...base,
      product('M2', { publicPrice: 5 }),
      product('N1'),
      product('N1'),
    ]
    const to = join(folder, 'repeated.csv')
    const found = await against('repeated.ndjson', toBareLines(lines), { to })
    expect(counts(found)).toEqual([1, 0, 1, 2])
    expect(found.report.new.lines).toMatchObject({ total: 7, repeated: 3 })
    expect(found.report.to).toEqual({ path: to, rows: 2 })
    const back = await compare(found.report.new.path, old)
    expect(counts(back)).toEqual([0, 1, 1, 2])
    expect(back.report.old.lines).toMatchObject({ total: 7, repeated: 3 })
  })

  test('lines that break their contract are counted, and compared if they have an id', async () => {
    const text = toBareLines([product('M1', { publicPrice: 'on request' }), base[1]!, base[2]!])
    const found = await against('broken.ndjson', `${text}{"id":"M9"\n\n{"status":"active"}\n`)
    expect(counts(found)).toEqual([0, 0, 1, 2])
    expect(found.report.new.lines).toMatchObject({ total: 6, blank: 1, rejected: 3, withoutId: 2 })
    expect(found.table.fields.map(({ example }) => example)).toEqual([
      { id: 'M1', field: 'publicPrice', element: null, old: '820', new: 'on request' },
    ])
  })

  test('a truncated export is compared and reported as incomplete', async () => {
    const whole = toStream(base)
    const found = await against('cut.ndjson', whole.slice(0, -30))
    expect(counts(found)).toEqual([0, 1, 0, 2])
    expect(found.report.new.lines?.completeness).toMatchObject({ status: 'incomplete', reasons: expect.any(Array) })
    const short = await against('short.ndjson', whole.split('\n').slice(0, 2).join('\n'))
    expect(short.report.new.lines?.completeness.status).toBe('incomplete')
  })

  test('an empty export can be compared with a filled one and with another empty one', async () => {
    const empty = await write('empty.ndjson', '')
    expect(counts(await compare(old, empty))).toEqual([0, 3, 0, 0])
    expect(counts(await compare(empty, old))).toEqual([3, 0, 0, 0])
    const both = await compare(empty, await write('blank.ndjson', '\n\n'))
    expect([both.report.equal, ...counts(both)]).toEqual([true, 0, 0, 0, 0])
  })

  test('added and removed fields, empty lists and quoted texts are distinguished', async () => {
    const next = [
      product('M1', { ean: [], packageContent: '' }),
      product('M2', { name: { nl: 'a "b"', fr: null } }),
      base[2]!,
    ]
    const { table } = await against('values.ndjson', toStream(next))
    expect(table.fields.map(({ example: { field, old: before, new: after } }) => [field, before, after])).toEqual([
      ['ean', null, '[]'],
      ['name.nl', null, 'a "b"'],
      ['packageContent', null, ''],
    ])
  })

  test('fields beyond the contract are compared, even one named like a method of objects', async () => {
    const { table } = await against(
      'beyond.ndjson',
      toStream([product('M1', { constructor: 1, artgId: [{ a: 1 }] }), base[1]!, base[2]!]),
    )
    expect(table.fields.map(({ field }) => field)).toEqual(['artgId[]', 'constructor'])
  })

  test('list elements without ids are compared after removing equal ones', async () => {
    const [first, second, third] = [problem('a', 1), problem('b', 2), problem('c', 3)]
    const one = await write('problems-1.ndjson', toStream([product('M1', { supplyProblems: [first, second] })]))
    const two = await write(
      'problems-2.ndjson',
      toStream([product('M1', { supplyProblems: [third, { ...second, reason: 'z' }, first] })]),
    )
    const { table } = await compare(one, two, { contract: 'v4/product' })
    expect(table.fields.map(({ example }) => [example.field, example.element, example.old, example.new])).toEqual([
      ['supplyProblems[]', '2', null, '{"fromDate":2,"reason":"z"}'],
      ['supplyProblems[].fromDate', '2', '2', '3'],
      ['supplyProblems[].reason', '2', 'b', 'c'],
    ])
  })

  test('numbers are compared with all their digits', async () => {
    const next = toStream([product('M1'), product('M2')]).replaceAll('820', '9007199254740993')
    const before = await write('digits.ndjson', next.replaceAll('9007199254740993', '9007199254740992'))
    const { table } = await compare(before, await write('digits-2.ndjson', next))
    expect(table.fields[0]!.example).toMatchObject({ old: '9007199254740992', new: '9007199254740993' })
  })
})

describe('fields left out of a comparison', () => {
  const meta = { createdAt: 1, updatedAt: 2, embedUrl: 'https://example.com/a', publicPageUrl: 'https://example.com/b' }
  const brand = { id: 5, name: { nl: 'x' }, meta: { updatedAt: 3 } }
  const before = { id: 'M1', publicPrice: 1, brands: [brand], meta }
  const after = {
    id: 'M1',
    publicPrice: 2,
    brands: [{ ...brand, meta: { updatedAt: 4 } }],
    meta: { ...meta, updatedAt: 9, embedUrl: 'c', publicPageUrl: 'd' },
  }
  const compareBoth = async (options: Partial<DiffOptions>) => {
    const [one, two] = [await write('one.ndjson', toStream([before])), await write('two.ndjson', toStream([after]))]
    const { table, warnings, report } = await compare(one, two, { contract: 'v4/product', ...options })
    return { fields: table.fields.map(({ field }) => field), warnings, ignored: report.ignored }
  }

  test('signed addresses and the time of the last change are left out unless they are included', async () => {
    const usual = ['brands[].meta.updatedAt', 'publicPrice']
    expect(await compareBoth({})).toMatchObject({
      fields: usual,
      ignored: ['meta.embedUrl', 'meta.publicPageUrl', 'meta.updatedAt'],
    })
    expect((await compareBoth({ include: ['meta.updatedAt'] })).fields).toEqual([
      ...usual.slice(0, 1),
      'meta.updatedAt',
      'publicPrice',
    ])
    expect((await compareBoth({ only: ['meta.embedUrl'] })).fields).toEqual(['meta.embedUrl'])
    expect((await compareBoth({ only: ['meta'] })).fields).toEqual([])
  })

  test('--ignore leaves out fields with everything below them, and --only compares nothing else', async () => {
    expect((await compareBoth({ ignore: ['brands[]'] })).fields).toEqual(['publicPrice'])
    expect((await compareBoth({ ignore: ['brands[].meta'] })).fields).toEqual(['publicPrice'])
    expect((await compareBoth({ only: ['brands[].meta.updatedAt'] })).fields).toEqual(['brands[].meta.updatedAt'])
    expect((await compareBoth({ ignore: ['publicPrice'], only: ['publicPrice'] })).fields).toEqual([])
  })

  test('a selected field that the contract lacks gives a warning', async () => {
    const { warnings } = await compareBoth({ ignore: ['publicPric', 'name.nl', 'photos[].formats.large'] })
    expect(warnings).toEqual(['"publicPric" is no field of the contract; did you mean "publicPrice"?'])
    expect((await compareBoth({ only: ['price'] })).warnings).toEqual([
      '"price" is no field of the contract; did you mean "publicPrice"?',
    ])
  })
})

test('exports and landings in a bucket compare like those on disk', async () => {
  const s3 = await startS3()
  const client = createObjectClient(await connectS3(s3.env, 's3://warehouse'))
  try {
    const products = generateProducts(300, 5)
    const lines = [toStream(products), toStream(changeProducts(products, 5))] as const
    const [old, next] = [await write('local-old.ndjson', lines[0]), await write('local-new.ndjson', lines[1])]
    const local = await compare(old, next)
    const put = (name: string, content: string | Buffer) => client.put(`s3://warehouse/${name}`, Buffer.from(content))
    await put('exports/old.ndjson', lines[0])
    await put('exports/new.ndjson.gz', gzipSync(lines[1]))
    const env = { ...forcedWorkers, ...s3.env }
    const remote = await compare('s3://warehouse/exports/old.ndjson', 's3://warehouse/exports/new*', { env })
    expect(remote.report.tables).toEqual(local.report.tables)
    await landFile(join(folder, 'to-bucket/products.ndjson'), lines[1], '2026-01-02T00:00:00.000Z')
    for (const name of await readdir(join(folder, 'to-bucket')))
      await put(`landing/${name}`, await readFile(join(folder, 'to-bucket', name)))
    const landing = await compare('s3://warehouse/exports/old.ndjson', 's3://warehouse/landing', { env })
    expect(landing.report).toMatchObject({ new: { kind: 'landing' }, tables: local.report.tables })
    await expect(compare(old, 's3://warehouse/exports', { env })).rejects.toMatchObject({ code: 'USAGE' })
  } finally {
    client.close()
    await s3.close()
  }
})

const aPipe =
  'expected an export, a landing or a published run, got a pipe, which can be read only once: save it in a file'

describe('sides that cannot be compared', () => {
  test('records of v3 and v4 are compared only with --contract product', async () => {
    const [one, two] = [
      await write('v3.ndjson', generate('v3/product')),
      await write('v4.ndjson', generate('v4/product')),
    ]
    await expect(compare(one, two)).rejects.toMatchObject({
      code: 'USAGE',
      message: `${two}: expected records of v3/product as in ${one}, got those of v4/product`,
      fix: expect.stringContaining('--contract product'),
    })
    const { report } = await compare(one, two, { contract: 'product', only: ['status', 'publicPrice', 'narcotic'] })
    expect(report).toMatchObject({ contract: 'product', tables: [{ new: 0, removed: 0 }] })
    expect(report.tables[0]?.fields.map(({ field }) => field)).toContain('narcotic')
  })

  test.each([
    ['nothing', 'SOURCE_NOT_FOUND', /expected a file, got nothing there/],
    ['-', 'USAGE', /got standard input/],
    ['bare-folder', 'USAGE', /got a folder without landed files/],
    ['rows.parquet', 'USAGE', /got a Parquet file/],
    ['run', 'USAGE', /expected a run beside a run/],
    ['run/_manifest.json', 'USAGE', /expected a run beside a run/],
  ])('%s is refused with %s', async (name, code, message) => {
    await write('bare-folder/a.ndjson', toStream([{ id: 'M1' }]))
    await write('rows.parquet', 'PAR1')
    await write('run/_manifest.json', '{"pipeline":"products","configHash":"","files":[]}')
    const old = await write('some.ndjson', toStream([{ id: 'M1' }]))
    const path = name === '-' ? name : join(folder, name)
    await expect(compare(old, path)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    await expect(compare(path, old)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('a pipe is refused because it can be read only once', async () => {
    const old = await write('beside-pipe.ndjson', toStream([{ id: 'M1' }]))
    const pipe = join(folder, 'pipe')
    await promisify(execFile)('mkfifo', [pipe])
    await expect(compare(pipe, old)).rejects.toMatchObject({ code: 'USAGE', message: `${pipe}: ${aPipe}` })
  })

  test.each([['out.ods'], ['s3://bucket/out.csv'], ['some.csv']])(
    '--to %s is refused before anything is read',
    async (name) => {
      const old = await write('some.csv', toStream([{ id: 'M1' }]))
      const to = name.startsWith('s3') ? name : join(folder, name)
      await expect(compare(old, old, { to })).rejects.toMatchObject({ code: 'USAGE' })
    },
  )

  test('a comparison that fails leaves no file', async () => {
    const old = await write('fails/old.ndjson', toStream([{ id: 'M1' }]))
    const next = await write('fails/new.ndjson', '{"id":"M1"}\n{"error":{"status":500}}\n')
    await expect(
      compare(old, next, { contract: 'v4/product', to: join(folder, 'fails/out.csv') }),
    ).rejects.toMatchObject({
      code: 'SOURCE_ERROR_LINE',
    })
    expect((await readdir(join(folder, 'fails'))).toSorted()).toEqual(['new.ndjson', 'old.ndjson'])
  })
})

describe('landings', () => {
  const monday = '2026-05-04T01:00:00.000Z'
  const tuesday = '2026-05-05T01:00:00.000Z'

  test('the difference of two folders of landed files is that of their lines, recomputed by DuckDB', async () => {
    const products = generateProducts(120, 7)
    const changed = changeProducts(products, 7)
    await landFile(join(folder, 'monday/a.ndjson.gz'), toStream(products.slice(0, 50)), monday)
    await landFile(join(folder, 'monday/b.ndjson'), toStream(products.slice(50)), monday)
    await landFile(join(folder, 'tuesday/all.ndjson.gz'), toStream(changed), tuesday)
    const [old, next] = [await write('m.ndjson', toStream(products)), await write('t.ndjson', toStream(changed))]
    const expected = await recomputeDifferences(old, next)
    const to = join(folder, 'landed.parquet')
    const { report, warnings } = await compare(join(folder, 'monday'), join(folder, 'tuesday'), { to })
    expect(toComparable((await queryDuckDb(`FROM '${to}'`)) as DifferenceRow[])).toEqual(toComparable(expected))
    expect(report).toMatchObject({ old: { kind: 'landing', files: 2, time: monday }, new: { files: 1, time: tuesday } })
    expect(warnings).toEqual([])
  })

  test('a landing is named by its folder, its file or its manifest, and compared with an export', async () => {
    const lines = toStream([{ id: 'M1', cnk: '0012345', publicPrice: 5 }])
    await landFile(join(folder, 'one/products.ndjson'), lines, monday)
    for (const name of ['one', 'one/products.ndjson', 'one/products.ndjson.manifest.json']) {
      const { report } = await compare(join(folder, name), await write('bare.ndjson', lines))
      expect([report.equal, report.contract, report.old.kind]).toEqual([true, 'v4/product', 'landing'])
    }
  })

  test('landings in the wrong order give a warning', async () => {
    const [late, early] = [join(folder, 'late'), join(folder, 'early')]
    await landFile(join(late, 'a.ndjson'), toStream([{ id: 'M1' }]), tuesday)
    await landFile(join(early, 'a.ndjson'), toStream([{ id: 'M1' }]), monday)
    const { warnings } = await compare(late, early)
    expect(warnings).toEqual([`${late}: fetched after ${early}: are old and new swapped?`])
  })

  test('a contract is chosen from a landing with several', async () => {
    const mixed = join(folder, 'mixed')
    await landFile(join(mixed, 'a.ndjson'), toStream([{ id: 'M1' }]), monday)
    await landFile(join(mixed, 'b.ndjson'), toStream([{ id: 1 }]), monday, 'v4/brand')
    await expect(compare(mixed, mixed)).rejects.toMatchObject({
      code: 'USAGE',
      message: /a landing of v4\/product and v4\/brand/,
    })
    const { report } = await compare(mixed, mixed, { contract: 'v4/brand' })
    expect([report.contract, report.old.files]).toEqual(['v4/brand', 1])
  })

  test('a landed file that was changed is refused', async () => {
    await landFile(join(folder, 'changed/a.ndjson'), toStream([{ id: 'M1' }]), monday)
    await write('changed/a.ndjson', toStream([{ id: 'M2' }]))
    await expect(compare(join(folder, 'changed'), join(folder, 'changed'))).rejects.toMatchObject({
      code: 'SOURCE_DAMAGED',
    })
  })
})
