import { mkdir, readFile, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { toRows } from '../../loads/databases/load-model.ts'
import { LakeRig, product } from '../lake-rig.ts'
import { findDisagreeing } from '../readers/other-readers.ts'
import { query, readDelta } from '../readers/read-delta.ts'

let rig: LakeRig
afterEach(() => rig.remove())

test('every tenth version has a checkpoint, from which loads and other engines read without the log before', async () => {
  rig = await LakeRig.create('history')
  const nights = Array.from({ length: 13 }, (_, night) => [product('A', `a${night}`, ['x']), product(`B${night % 3}`)])
  for (const records of nights.slice(0, 12)) await rig.night(records)
  const { files, columns } = await readDelta(rig.table())
  const log = join(rig.table(), '_delta_log')
  expect(JSON.parse(await readFile(join(log, '_last_checkpoint'), 'utf8'))).toMatchObject({ version: 10 })
  const checkpoint = join(log, '00000000000000000010.checkpoint.parquet')
  const counts = await query(
    `SELECT count(protocol), count("metaData"), count(txn), count("add") FILTER ("add".path IS NOT NULL) > 0 FROM read_parquet('${checkpoint}')`,
  )
  expect(counts).toEqual([['1', '1', '1', true]])
  const away = join(rig.folder, 'away')
  await mkdir(away)
  const old = Array.from({ length: 11 }, (_, version) => rig.logFile(version))
  for (const path of old) await rename(path, join(away, basename(path)))
  const file = join(rig.folder, 'whole.parquet')
  const paths = files.map(({ path }) => `'${path}'`).join(', ')
  await query(`COPY (FROM read_parquet([${paths}], union_by_name = true)) TO '${file}' (FORMAT parquet)`)
  expect(findDisagreeing([{ lake: rig.table(), file, columns }])).toEqual([])
  await rig.night(nights[12] ?? [], async () => {
    // The model's reader wants the whole log.
    for (const path of old) await rename(join(away, basename(path)), path)
  })
  expect(rig.warnings).toEqual([])
})

test.each([
  { said: undefined, kept: 0 },
  { said: 'interval 9 days', kept: 0 },
  { said: 'interval 2 weeks', kept: 1 },
  { said: 'P30D', kept: 1 },
])('a checkpoint keeps $kept tombstones of ten days ago if the table keeps removed files for $said', async (given) => {
  rig = await LakeRig.create('merge')
  await rig.night([product('A')])
  const metaData = (await readDelta(rig.table())).commits[0]?.find((action) => action.metaData)?.metaData
  const configuration = {
    ...metaData?.configuration,
    ...(given.said !== undefined && { 'delta.deletedFileRetentionDuration': given.said }),
    'delta.checkpointInterval': '3',
  }
  await rig.commit([{ metaData: { ...metaData, configuration } }])
  const tombstone = { path: 'gone.parquet', deletionTimestamp: Date.now() - 10 * 86_400_000, dataChange: false }
  await rig.commit([{ remove: tombstone }])
  await rig.load(rig.nextLoad(), toRows([product('A', 'a2')]))
  const checkpoint = rig.logFile(3).replace('.json', '.checkpoint.parquet')
  const kept = await query(
    `SELECT count(*)::INTEGER FROM read_parquet('${checkpoint}') WHERE remove.path = 'gone.parquet'`,
  )
  expect(kept).toEqual([[given.kept]])
})
