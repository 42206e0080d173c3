import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createLocalStorage } from '../../../src/storage/local-storage.ts'
import type { FileFormat } from '../../../src/formats/file-format.ts'
import type { FilePlan } from '../../../src/plan/outputs/file-plan.ts'
import type { KeyedTable } from '../../../src/plan/loads/stateful-plan.ts'
import { defaultCsvDialect } from '../../../src/formats/csv.ts'
import { column } from '../../formats/every-type.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import { listFiles, type LoadedRecord, type LoadSettings, MergedFolder } from './merged-folder.ts'

const tables: readonly KeyedTable[] = [
  {
    name: 'products',
    columns: [column('id', 'text'), column('status', 'text'), column('since', 'date'), column('price', 'integer')],
    idColumn: 'id',
    positionColumns: [],
  },
  {
    name: 'photos',
    columns: [column('product_id', 'text'), column('position', 'integer'), column('url', 'text')],
    idColumn: 'product_id',
    positionColumns: ['position'],
  },
]
const csv: FileFormat = { format: 'csv', dialect: defaultCsvDialect }
const parquet: FileFormat = { format: 'parquet', compression: 'zstd', rowGroupRows: 100_000 }

function output(more: Partial<FilePlan> = {}): FilePlan {
  return {
    table: 0,
    mode: 'merge',
    path: 'out/products.csv',
    format: csv,
    gzip: false,
    partitionBy: [],
    rowsPerFile: null,
    bytesPerFile: null,
    removed: 'drop',
    ...more,
  }
}

async function overwrite(path: string, start: number, length: number): Promise<void> {
  const bytes = await readFile(path)
  await writeFile(path, bytes.fill(0xff, start, start + length))
}

let number = 0

/** A record whose content is what is said of it. */
function record(
  id: string,
  status: string | null = 'active',
  price: number | null = null,
  photos: string[] = [],
): LoadedRecord {
  return {
    id,
    status,
    hash: JSON.stringify([status, price, photos]),
    updatedAt: (number += 1) * 1000,
    rows: [[[id, status, 0, price]], photos.map((url, index) => [id, index + 1, url])],
  }
}

const folders: MergedFolder[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await folder.remove()
})

async function createFolder(...outputs: FilePlan[]): Promise<MergedFolder> {
  const folder = await MergedFolder.create(tables, outputs)
  folders.push(folder)
  return folder
}

async function listOut(folder: MergedFolder): Promise<string[]> {
  const found = await readdir(join(folder.path, 'out'), { recursive: true, withFileTypes: true })
  return found
    .filter((file) => file.isFile())
    .map((file) => relative(join(folder.path, 'out'), join(file.parentPath, file.name)))
    .sort()
}

async function stagedNames(folder: MergedFolder): Promise<string[]> {
  return (await readdir(folder.path, { recursive: true })).filter((name) => name.endsWith('.staging'))
}

describe('partitions', () => {
  test('partitions become Hive folders, with null and empty text in the default one', async () => {
    const folder = await createFolder(output({ partitionBy: ['status'] }))
    const records = [
      record('3', 'active'),
      record('2', null),
      record('1', ''),
      record('4', "50% a/b='x' é"),
      record('5', 'active'),
    ]
    const { files } = await folder.run(records)
    expect(await listOut(folder)).toEqual([
      'status=50%25 a%2Fb%3D%27x%27 é/products.csv',
      'status=__HIVE_DEFAULT_PARTITION__/products.csv',
      'status=active/products.csv',
    ])
    expect(files.map(({ rows }) => rows)).toEqual([1, 2, 2])
    expect((await folder.read('out/status=active/products.csv')).toString()).toBe(
      'id,status,since,price\n3,active,1970-01-01,\n5,active,1970-01-01,\n',
    )
    expect((await folder.read('out/status=__HIVE_DEFAULT_PARTITION__/products.csv')).toString()).toContain(
      '\n1,"",1970-01-01,\n2,,',
    )
  })

  test('partitions are read back by other tools, the column being in the file and in the folder', async () => {
    const folder = await createFolder(
      output({ partitionBy: ['status', 'since'], format: parquet, path: 'out/products.parquet' }),
    )
    await folder.run([record('1', 'a b'), record('2', 'x/y'), record('3', 'active')])
    const from = `read_parquet('${folder.path}/out/**/*.parquet', hive_partitioning = true)`
    expect(await queryDuckDb(`SELECT id, status, since FROM ${from} ORDER BY id`)).toEqual([
      ['1', 'a b', '1970-01-01'],
      ['2', 'x/y', '1970-01-01'],
      ['3', 'active', '1970-01-01'],
    ])
  })

  test('a partition loses a record that moves to another one', async () => {
    for (const format of [parquet, csv]) {
      const path = `out/products.${format.format}`
      const folder = await createFolder(output({ partitionBy: ['status'], format, path }))
      await folder.run(Array.from({ length: 30 }, (_, index) => record(`${index}`, ['a', 'b'][index % 2])))
      const { files, baseline } = await folder.run([record('7', 'a'), record('8', 'c')], { kind: 'delta' })
      expect(files.map((file) => [relative(folder.path, file.path), file.rows])).toEqual([
        [`out/status=a/products.${format.format}`, 15],
        [`out/status=b/products.${format.format}`, 14],
        [`out/status=c/products.${format.format}`, 1],
      ])
      expect(baseline.current?.[0]?.length).toBe(format.format === 'parquet' ? 3 : 1)
      await folder.run([], { kind: 'delta' })
      const { files: after } = await folder.run([record('8', 'a')], { kind: 'delta' })
      expect(after.map(({ rows }) => rows)).toEqual([16, 14])
    }
  })

  test('partitions of a history are divided by is_current', async () => {
    const history = {
      mode: 'history',
      partitionBy: ['is_current'],
      format: parquet,
      path: 'out/products.parquet',
    } as const
    const folder = await createFolder(output(history))
    await folder.run([record('1', 'a'), record('2', 'a')])
    const { files } = await folder.run([record('1', 'b')], { kind: 'delta' })
    expect(files.map(({ path, rows }) => [relative(folder.path, path), rows])).toEqual([
      ['out/is_current=false/products.parquet', 1],
      ['out/is_current=true/products.parquet', 2],
    ])
  })

  test('partitions without a row are no file, and so is an append', async () => {
    const folder = await createFolder(
      output({ partitionBy: ['status'] }),
      output({ mode: 'append' }),
      output({ path: 'out/all.csv' }),
    )
    const { files } = await folder.run([])
    expect(files.map(({ path }) => relative(folder.path, path))).toEqual(['out/all.csv'])
    expect((await folder.read('out/all.csv')).toString()).toBe('id,status,since,price\n')
    const next = await folder.run([record('1')], { kind: 'delta' })
    expect(next.files.map(({ rows }) => rows)).toEqual([1, 1, 1])
  })

  test('partitions are written one at a time, however many', async () => {
    const folder = await createFolder(output({ partitionBy: ['price'], format: parquet, path: 'out/products.parquet' }))
    let open = 0
    let most = 0
    const storage = createLocalStorage()
    const merged = await folder.stage(
      Array.from({ length: 200 }, (_, index) => record(`${index}`, 'a', index % 100)),
      {},
      {
        storage: {
          ...storage,
          openFile: async (...opened) => {
            const staged = await storage.openFile(...opened)
            most = Math.max(most, (open += 1))
            return { ...staged, finish: () => ((open -= 1), staged.finish()) }
          },
        },
      },
    )
    expect(merged.files.length).toBe(100)
    expect(most).toBe(1)
    await merged.discard()
    expect(await stagedNames(folder)).toEqual([])
  })
})

describe('files that roll over', () => {
  test('files that roll over by rows are numbered, and none has more', async () => {
    const folder = await createFolder(
      output({ rowsPerFile: 4, gzip: true, path: 'out/products.csv.gz' }),
      output({ rowsPerFile: 4, partitionBy: ['status'] }),
    )
    const { files } = await folder.run(
      Array.from({ length: 10 }, (_, index) => record(`${index}`, index < 5 ? 'a' : 'b')),
    )
    expect(files.map(({ path, rows }) => [relative(folder.path, path), rows])).toEqual([
      ['out/products-00001.csv.gz', 4],
      ['out/products-00002.csv.gz', 4],
      ['out/products-00003.csv.gz', 2],
      ['out/status=a/products-00001.csv', 4],
      ['out/status=a/products-00002.csv', 1],
      ['out/status=b/products-00001.csv', 4],
      ['out/status=b/products-00002.csv', 1],
    ])
  })

  test('files that roll over by bytes stay below them in CSV, and near them in Parquet', async () => {
    const bytesPerFile = 40_000
    const folder = await createFolder(
      output({ bytesPerFile }),
      output({ bytesPerFile, format: parquet, path: 'out/products.parquet' }),
    )
    const records = Array.from({ length: 6000 }, (_, index) =>
      record(`${index}`, `${(index * 7919) % 65_537}-${(index * 104_729) % 65_521}`),
    )
    const { files } = await folder.run(records)
    for (const format of ['csv', 'parquet']) {
      const sizes = files.filter(({ path }) => path.endsWith(format)).map(({ bytes }) => bytes)
      expect(sizes.length).toBeGreaterThan(1)
      for (const size of sizes.slice(0, -1)) {
        expect(size).toBeGreaterThan(bytesPerFile * 0.9)
        expect(size).toBeLessThan(format === 'csv' ? bytesPerFile + 1 : bytesPerFile * 2)
      }
    }
    expect(files.reduce((sum, { rows }) => sum + rows, 0)).toBe(12_000)
    const again = await folder.run([record('x')], { kind: 'delta' })
    expect(again.files.reduce((sum, { rows }) => sum + rows, 0)).toBe(12_002)
  })
})

describe('files that are appended', () => {
  test('a run in append writes new and changed records under its date', async () => {
    const append = output({ mode: 'append', table: 1, path: 'out/photos.csv' })
    const folder = await createFolder(append, { ...append, partitionBy: ['position'] })
    const day = Date.parse('2026-11-20T23:30:00Z')
    const [one, two] = [record('1', 'a', 1, ['u', 'v']), record('2', 'a', 1, ['w'])]
    await folder.run([one, two], { startedAt: day, runId: `0123456789${'a'.repeat(22)}` })
    expect(await listOut(folder)).toEqual([
      'run_date=2026-11-20/photos-01234567.csv',
      'run_date=2026-11-20/position=1/photos-01234567.csv',
      'run_date=2026-11-20/position=2/photos-01234567.csv',
    ])
    const touched = { ...two, updatedAt: 5 }
    const { files } = await folder.run([one, touched, record('3', 'a', 1, ['x'])], { startedAt: day + 3_600_000 })
    expect(files.map(({ path }) => relative(folder.path, path))).toEqual([
      'out/run_date=2026-11-21/photos-ffffffff.csv',
      'out/run_date=2026-11-21/position=1/photos-ffffffff.csv',
    ])
    expect((await folder.read('out/run_date=2026-11-21/photos-ffffffff.csv')).toString()).toBe(
      'product_id,position,url\n3,1,x\n',
    )
  })
})

describe('losses in a merge of files', () => {
  const many = Array.from({ length: 40 }, (_, index) => record(`${index}`.padStart(2, '0')))

  test('a loss beyond maxRemoved ends the run, and leaves nothing', async () => {
    const folder = await createFolder(output())
    await folder.run(many)
    const limits = [
      { kind: 'share', percent: 5 },
      { kind: 'count', count: 2 },
    ] as const
    for (const maxRemoved of limits) {
      await expect(folder.stage(many.slice(3), {}, { maxRemoved })).rejects.toMatchObject({
        code: 'REMOVED_TOO_MANY',
        message: expect.stringContaining(
          'of 40 published records to be removed (maxRemoved), got 3 (7.5 %): "00", "01", "02"',
        ) as string,
      })
      await folder.stage(many.slice(2), {}, { maxRemoved })
    }
    // A delta that says nothing of a record leaves it as it is.
    await folder.stage(many.slice(30), { kind: 'delta' }, { maxRemoved: { kind: 'count', count: 0 } })
  })

  test('a loss within maxRemoved lists the records as they were last known', async () => {
    const folder = await createFolder(output())
    await folder.run([{ ...record('1', 'replaced'), replacement: '2' }, record('2')])
    const { removedRecords, changes } = await folder.run([record('2')])
    expect(removedRecords).toEqual([{ id: '1', status: 'replaced', replacement: '2' }])
    expect(changes).toEqual({ new: 0, changed: 0, touched: 1, unchanged: 0, removed: 1 })
    expect((await folder.run([record('2')])).removedRecords).toEqual([])
  })
})

describe('a baseline', () => {
  test('a baseline that is missing, cut, or no Parquet is STATE_INVALID and named', async () => {
    const cases = [
      ['out/products.parquet', (path: string) => rm(path)],
      ['_state/records.parquet', (path: string) => rm(path)],
      ['_state/records.parquet', (path: string) => truncate(path, 100)],
      ['out/products.parquet', (path: string) => writeFile(path, 'id,status\n')],
      ['out/products.parquet', (path: string) => writeFile(path, '')],
      ['out/products.parquet', (path: string) => overwrite(path, 4, 60)],
    ] as const
    for (const [file, damage] of cases) {
      const folder = await createFolder(output({ format: parquet, path: 'out/products.parquet' }))
      await folder.run([record('1')])
      await damage(join(folder.path, file))
      await expect(folder.stage([record('2')], { kind: 'delta' })).rejects.toMatchObject({
        code: 'STATE_INVALID',
        message: expect.stringContaining(file) as string,
        fix: expect.stringContaining('state reset') as string,
      })
      expect(await stagedNames(folder)).toEqual([])
    }
  })

  test('a baseline may lie in a folder whose name is a pattern', async () => {
    const folder = await createFolder(output({ format: parquet, path: "out/[a]*?'/products.parquet" }))
    await folder.run([record('1')])
    expect((await folder.run([record('2')], { kind: 'delta' })).files[0]?.rows).toBe(2)
  })

  test('a baseline without a new column is filled by a full load, and none for a delta', async () => {
    for (const mode of ['merge', 'history'] as const) {
      const folder = await createFolder(output({ format: parquet, mode, path: 'out/products.parquet' }))
      const known = record('1')
      await folder.run([known])
      const [products, photos] = tables as [KeyedTable, KeyedTable]
      const wider = [{ ...products, columns: [...products.columns, column('brand', 'text')] }, photos]
      const widened = { ...known, rows: [[['1', 'active', 0, null, 'x']], []] }
      await expect(folder.stage([widened], { kind: 'delta' }, {}, wider)).rejects.toMatchObject({
        code: 'STATE_INVALID',
      })
      const { changes } = await folder.run([widened], {}, {}, wider)
      expect(changes.unchanged).toBe(1)
      expect(await queryDuckDb(`SELECT id, brand FROM '${folder.path}/out/products.parquet'`)).toEqual([['1', 'x']])
    }
  })

  test('a baseline of a table or mode that is new needs a full load', async () => {
    const folder = await createFolder(output())
    const known = record('1', 'a', 1, ['u'])
    await folder.run([known])
    folder.outputs = [
      ...folder.outputs,
      output({ table: 1, mode: 'history', path: join(folder.path, 'out/photos.csv') }),
    ]
    await expect(folder.stage([], { kind: 'delta' })).rejects.toMatchObject({ code: 'STATE_INVALID' })
    const { files } = await folder.run([known])
    expect(files.map(({ rows }) => rows)).toEqual([1, 1])
  })

  test('a baseline of a column with another type is STATE_INVALID', async () => {
    const folder = await createFolder(output({ format: parquet, path: 'out/products.parquet' }))
    await folder.run([record('1')])
    const [products, photos] = tables as [KeyedTable, KeyedTable]
    const columns = products.columns.map((one) => (one.name === 'price' ? column('price', 'float') : one))
    await expect(folder.stage([record('1')], {}, {}, [{ ...products, columns }, photos])).rejects.toMatchObject({
      code: 'STATE_INVALID',
      message: expect.stringContaining('the column "price" as DOUBLE, got BIGINT') as string,
    })
  })
})

test('a load with `refresh` also gives the rows of unchanged records', async () => {
  const folder = await createFolder(output())
  const known = record('1')
  await folder.run([known])
  const other = { ...known, rows: [[['1', 'other', 0, null]], []] }
  const settings: LoadSettings[] = [{}, { refresh: true }]
  const seen: string[] = []
  for (const setting of settings) {
    await folder.run([other], setting)
    seen.push((await folder.read('out/products.csv')).toString().split('\n')[1] ?? '')
  }
  expect(seen).toEqual(['1,active,1970-01-01,', '1,other,1970-01-01,'])
})

test('a merge that is interrupted ends with the reason of the signal', async () => {
  const folder = await createFolder(output())
  const aborted = AbortSignal.abort(new Error('stopped by the user'))
  await expect(folder.stage([record('1')], {}, { signal: aborted })).rejects.toThrow('stopped by the user')
  const controller = new AbortController()
  const storage = createLocalStorage()
  const staging = folder.stage(
    Array.from({ length: 5000 }, (_, index) => record(`${index}`)),
    {},
    {
      signal: controller.signal,
      storage: {
        ...storage,
        openFile: (...opened) => {
          controller.abort(new Error('stopped'))
          return storage.openFile(...opened)
        },
      },
    },
  )
  await expect(staging).rejects.toThrow('stopped')
  expect(await stagedNames(folder)).toEqual([])
})

test('a load with an id twice is refused', async () => {
  const folder = await createFolder(output())
  await expect(folder.stage([record('1'), record('1')])).rejects.toThrow('expected each id once, got "1" again')
})

test('the same load and baseline give the same bytes', async () => {
  const outputs = [
    output({ format: parquet, path: 'out/a.parquet', bytesPerFile: 30_000 }),
    output({ partitionBy: ['price'] }),
  ]
  const folder = await createFolder(...outputs)
  const records = Array.from({ length: 5000 }, (_, index) => record(`${(index * 7919) % 5003}`, `s${index}`, index % 9))
  const sums: string[][] = []
  for (let time = 0; time < 2; time++) {
    const merged = await folder.stage(records, { startedAt: 1 })
    sums.push(listFiles(merged).map(({ sha256 }) => sha256))
    await merged.discard()
  }
  expect(sums[0]?.length).toBeGreaterThan(10)
  expect(sums[1]).toEqual(sums[0])
})
