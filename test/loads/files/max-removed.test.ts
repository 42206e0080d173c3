import { afterEach, expect, test } from 'vitest'
import type { FilePlan } from '../../../src/plan/outputs/file-plan.ts'
import type { KeyedTable } from '../../../src/plan/loads/stateful-plan.ts'
import { column } from '../../formats/every-type.ts'
import { type LoadedRecord, MergedFolder } from './merged-folder.ts'

const table: KeyedTable = {
  name: 'products',
  columns: [column('id', 'text')],
  idColumn: 'id',
  positionColumns: [],
}
const output: FilePlan = {
  table: 0,
  mode: 'merge',
  path: 'out/products.ndjson',
  format: { format: 'ndjson' },
  gzip: false,
  partitionBy: [],
  rowsPerFile: null,
  bytesPerFile: null,
  removed: 'drop',
}

let folder: MergedFolder
afterEach(() => folder.remove())

function toRecord(index: number): LoadedRecord {
  const id = `${index}`.padStart(5, '0')
  return { id, hash: id, updatedAt: 0, rows: [[[id]]] }
}

test('a maxRemoved of 0.7% allows up to 77 of 11,000 records, in a full load as in a delta', async () => {
  folder = await MergedFolder.create([table], [output])
  const published = Array.from({ length: 11_000 }, (_, index) => toRecord(index))
  await folder.run(published)
  const maxRemoved = { kind: 'share', percent: 0.7 } as const
  const left = published.map((each) => ({ ...each, hash: null, rows: [[]] }))
  const stage = (kind: 'full' | 'delta', count: number) =>
    folder.stage(kind === 'full' ? published.slice(count) : left.slice(0, count), { kind }, { maxRemoved })
  for (const kind of ['full', 'delta'] as const) {
    await expect(stage(kind, 78)).rejects.toMatchObject({ code: 'REMOVED_TOO_MANY' })
    const merged = await stage(kind, 77)
    expect(merged.changes.removed).toBe(77)
    await merged.discard()
  }
})

test('a maxRemoved of 5% allows none of 19 records, and the hint is a count', async () => {
  folder = await MergedFolder.create([table], [output])
  const published = Array.from({ length: 19 }, (_, index) => toRecord(index))
  await folder.run(published)
  const staging = folder.stage(published.slice(1), { kind: 'full' }, { maxRemoved: { kind: 'share', percent: 5 } })
  await expect(staging).rejects.toMatchObject({
    code: 'REMOVED_TOO_MANY',
    fix: expect.stringContaining('`--set maxRemoved=1`') as string,
  })
})
