import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { isDeep } from '../depth.ts'
import type { KeyedTable } from '../../src/plan/loads/stateful-plan.ts'
import { modelTables } from '../loads/databases/load-model.ts'
import { LakeRig, product } from './lake-rig.ts'
import { changeBySpark } from './readers/other-readers.ts'
import { query, selectRows } from './readers/read-delta.ts'
import { parseFeed, replayFeed } from './readers/read-feed.ts'

let rig: LakeRig
afterEach(() => rig.remove())

/** CATALOGUE_LAKE_JARS names the jars of delta-spark and delta-storage, or of iceberg-spark-runtime, PYSPARK_PYTHON a Python with the pyspark that they are for. */
const { CATALOGUE_LAKE_JARS = '', PYSPARK_PYTHON: python = 'python3' } = process.env

const nights = [
  [product('A', 'a', ['x'], 1767323045006), product('B'), product('C', 'c', ['y', 'z'])],
  [product('A', 'a2', ['x']), product('C', 'c', ['y', 'z']), product('D')],
  [product('A', 'a2', ['x']), product('B', 'b2'), product('D')],
  [product('A', 'a3'), product('B', 'b2'), product('D'), product('E', 'e', ['x'])],
]

describe.each(['delta', 'iceberg'] as const)('Spark and %s', (format) => {
  test.skipIf(!isDeep || !CATALOGUE_LAKE_JARS.includes(`${format}-spark`)).each([
    { mode: 'merge', deletes: 'rewrite', changes: ['append', 'optimize'] },
    // Its deletes and updates of Delta write vectors, too.
    { mode: 'history', deletes: 'vectors', changes: ['delete', 'update'] },
  ] as const)(
    `Spark reads a table of ${format} of mode $mode ($deletes), and its $changes between the nights do no harm`,
    async ({ mode, deletes, changes }) => {
      rig = await LakeRig.create(mode, null, format, deletes)
      for (const [night, how] of changes.entries()) {
        await rig.night(nights[night] ?? [])
        const { files } = await rig.read()
        const rows = await query(`${selectRows(files, 'id, name')} ORDER BY ALL`)
        expect(changeBySpark(format, how, rig.table())).toEqual(rows)
      }
      await rig.night(nights[changes.length] ?? [])
      await rig.night(nights[0] ?? [])
    },
    600_000,
  )
})

test.skipIf(!isDeep || !CATALOGUE_LAKE_JARS.includes('delta-spark')).each(['rewrite', 'vectors'] as const)(
  'Spark reads each change of the nights once in a change feed (%s)',
  async (deletes) => {
    rig = await LakeRig.create('merge', null, 'delta', deletes, true)
    const steady = Array.from({ length: 50 }, (_, at) => product(`steady ${at}`, 'same', ['x']))
    const lines: string[][] = []
    for (const records of [...nights, ...nights]) {
      await rig.night([...records, ...steady])
      lines.push(await rig.readLines(modelTables[0] as KeyedTable))
    }
    const script = join(import.meta.dirname, 'readers/read-feed-by-spark.py')
    const output = execFileSync(python, [script, rig.table(), '0'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect([...replayFeed(parseFeed(output), [0]).values()]).toEqual(lines)
  },
  600_000,
)
