import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { LakeRig, product } from './lake-rig.ts'
import { query, readDelta } from './read-delta.ts'

let rig: LakeRig
afterEach(() => rig.remove())

/** A Python with pyspark; CATALOGUE_LAKE_JARS names the jars of Delta. */
const python = process.env['CATALOGUE_LAKE_SPARK_PYTHON']

const nights = [
  [product('A', 'a', ['x'], 1767323045006), product('B'), product('C', 'c', ['y', 'z'])],
  [product('A', 'a2', ['x']), product('C', 'c', ['y', 'z']), product('D')],
  [product('A', 'a2', ['x']), product('B', 'b2'), product('D')],
  [product('A', 'a3'), product('B', 'b2'), product('D'), product('E', 'e', ['x'])],
]
const changes = ['delete', 'optimize', 'append', 'update']

test.skipIf(python === undefined).each(['merge', 'history'] as const)(
  'Spark reads a table of mode %s, and its DELETE, OPTIMIZE, INSERT and UPDATE between the nights do no harm',
  async (mode) => {
    rig = await LakeRig.create(mode)
    for (const [night, records] of nights.entries()) {
      await rig.night(records)
      const { files } = await readDelta(rig.table())
      const paths = files.map(({ path }) => `'${path}'`).join(', ')
      const rows = await query(`SELECT id, name FROM read_parquet([${paths}], union_by_name = true) ORDER BY ALL`)
      expect(change(changes[night] ?? '')).toEqual(rows)
    }
    await rig.night(nights[0] ?? [])
  },
  600_000,
)

/** The ids and names that Spark reads before. */
function change(how: string): (string | null)[][] {
  const script = join(import.meta.dirname, 'change-lake-by-spark.py')
  const text = execFileSync(python ?? '', [script, how, rig.table()], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; name?: string })
  return rows
    .map(({ id, name = null }) => [id, name])
    .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}
