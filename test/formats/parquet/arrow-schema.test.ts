import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { type Field, tableFromIPC } from 'apache-arrow'
import * as fc from 'fast-check'
import { parquetMetadata } from 'hyparquet'
import { readSchema } from 'parquet-wasm/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrowSchemaKey, type FieldMetadata, formatArrowSchema } from '../../../src/formats/parquet/arrow-schema.ts'
import { cases, isDeep } from '../../depth.ts'
import { skipsSpark } from '../../shards/spark/spark-cluster.ts'
import { hostileText } from '../arbitrary-cells.ts'
import { everyColumn, everyRow } from '../every-type.ts'
import { anyColumns, rowsOf } from './arbitrary-table.ts'
import { openReaders, type Readers } from './open-readers.ts'
import { toArrayBuffer, writeParquet } from './write-parquet.ts'

/** Pythons with pyarrow and pyspark, and with polars. */
const {
  PYSPARK_PYTHON: pythonOfSpark = 'python3',
  CATALOGUE_REQUIRE_SPARK,
  CATALOGUE_REQUIRE_SPREADSHEETS,
} = process.env
const skipsPyarrow = CATALOGUE_REQUIRE_SPARK !== '1' && !hasModule(pythonOfSpark, 'pyarrow')
const skipsPolars = CATALOGUE_REQUIRE_SPREADSHEETS !== '1' && !hasModule('python3', 'polars')

function hasModule(python: string, name: string): boolean {
  return spawnSync(python, ['-c', `from importlib.util import find_spec; assert find_spec('${name}')`]).status === 0
}

const everyField: FieldMetadata = Object.fromEntries(
  everyColumn.map(({ name }, at) => [
    name,
    { description: `Meaning of ${name}, "é"`, ...(at === 12 && { unit: 'cents' }) },
  ]),
)

function describeArrow({ name, type, nullable, metadata }: Field) {
  return [name, String(type), nullable, Object.fromEntries(metadata)]
}

/** The fields of a file as arrow-rs sees them. */
function readFields(bytes: Uint8Array): ReturnType<typeof describeArrow>[] {
  return tableFromIPC(readSchema(bytes).intoIPCStream()).schema.fields.map(describeArrow)
}

/** The fields that the footer has for readers of Arrow. */
function decodeFields(bytes: Uint8Array): ReturnType<typeof describeArrow>[] {
  const { key_value_metadata: pairs = [] } = parquetMetadata(toArrayBuffer(bytes))
  const { value = '' } = pairs.find(({ key }) => key === arrowSchemaKey) ?? {}
  return tableFromIPC(Buffer.from(value, 'base64')).schema.fields.map(describeArrow)
}

function withoutFooter(bytes: Buffer = Buffer.alloc(0)): Buffer {
  return bytes.subarray(0, bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8))
}

describe('the schema of Arrow in a footer', () => {
  let readers: Readers
  beforeAll(async () => (readers = await openReaders()))
  afterAll(() => readers.close())

  const anyPairs = fc.dictionary(fc.constantFrom('description', 'unit', '😀'), hostileText(['\uFFFF']), { maxKeys: 2 })
  const anyFile = anyColumns().chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: rowsOf(columns, 20),
      pairs: fc.array(anyPairs, { minLength: columns.length, maxLength: columns.length }),
    }),
  )

  test('has the types that readers find without it, and the metadata of every column', async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, async ({ columns, rows, pairs }) => {
        const fields = Object.fromEntries(columns.map(({ name }, at) => [name, pairs[at] ?? {}]))
        const without = await writeParquet(columns, [rows])
        const bytes = await writeParquet(columns, [rows], { fields })
        const types = readFields(without).map(([name, type, nullable], at) => [name, type, nullable, pairs[at]])
        expect(readFields(bytes)).toEqual(types)
        expect(decodeFields(bytes)).toEqual(types)
        expect(await readers.read(columns, bytes)).toEqual(await readers.read(columns, without))
      }),
      { numRuns: cases(300) },
    )
  })

  test('changes nothing but the footer, and costs less than 300 bytes a column', async () => {
    const [without, bytes] = await Promise.all(
      [undefined, everyField].map((fields) => writeParquet(everyColumn, [everyRow], { fields })),
    )
    expect(without).not.toEqual(bytes)
    expect(withoutFooter(bytes)).toEqual(withoutFooter(without))
    expect((bytes?.length ?? 0) - (without?.length ?? 0)).toBeLessThan(300 * everyColumn.length)
  })

  test('is the same each time, with the other pairs of the footer', () => {
    const pairs = [['catalogue-etl.pipeline', 'shop']] as const
    const [one, two] = [1, 2].map(() => formatArrowSchema(everyColumn, everyField, pairs))
    expect(one).toBe(two)
    expect([...tableFromIPC(Buffer.from(one ?? '', 'base64')).schema.metadata]).toEqual(pairs)
  })
})

describe('other readers of a file with the schema of Arrow', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'arrow-'))
    await writeFile(join(folder, 'without.parquet'), await writeParquet(everyColumn, [everyRow]))
    await writeFile(join(folder, 'with.parquet'), await writeParquet(everyColumn, [everyRow], { fields: everyField }))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function run(python: string, script: string): Promise<string> {
    const env = {
      ...process.env,
      SPARK_LOCAL_IP: '127.0.0.1',
      JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
    }
    return (await promisify(execFile)(python, ['-c', script], { cwd: folder, env })).stdout.trim()
  }

  test.skipIf(skipsPyarrow)('pyarrow has the metadata of each field, and the same types and rows', async () => {
    const found = await run(
      pythonOfSpark,
      `
import json, pyarrow.parquet as pq
a, b = pq.read_table('without.parquet'), pq.read_table('with.parquet')
assert a.schema.equals(b.schema, check_metadata=False), b.schema
assert a.equals(b) and a.schema.metadata == b.schema.metadata
print(json.dumps({f.name: {k.decode(): v.decode() for k, v in f.metadata.items()} for f in b.schema}))
`,
    )
    expect(JSON.parse(found)).toEqual(everyField)
  })

  test.skipIf(skipsPolars)('polars has the same types and rows', async () => {
    const script = `
import polars
a, b = polars.read_parquet('without.parquet'), polars.read_parquet('with.parquet')
assert a.schema == b.schema and a.equals(b), b.schema
print(b.height)
`
    expect(await run('python3', script)).toBe(String(everyRow.length))
  })

  test.skipIf(skipsSpark || !isDeep)('Spark has the same types and rows', async () => {
    const script = `
from pyspark.sql import SparkSession
spark = SparkSession.builder.master('local[1]').config('spark.ui.enabled', 'false').getOrCreate()
a, b = [spark.read.parquet(name) for name in ('without.parquet', 'with.parquet')]
assert a.schema == b.schema, b.schema
rows = [frame.selectExpr('to_json(struct(*))').collect() for frame in (a, b)]
assert rows[0] == rows[1], rows
print(len(rows[1]))
`
    expect(await run(pythonOfSpark, script)).toBe(String(everyRow.length))
  })
})
