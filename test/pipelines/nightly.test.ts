import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/manifest/manifest.ts'
import { cases, fewOf } from '../depth.ts'
import { dialects } from '../sandbox/dialects.ts'
import { ReadyRig, runnableFiles } from './ready-rig.ts'
import type { Row } from './read-outputs.ts'

const products = cases(200, 30)
const nights = cases(2, 1)
const all = runnableFiles.filter((file) => file.startsWith('nightly-'))
/** That into DuckDB takes longest: run-ready.test.ts runs it at each depth. */
const nightly = fewOf(all, ...all.filter((file) => file !== 'nightly-duckdb.yaml'))

describe.each(fewOf(dialects, 'loose'))('nightly pipelines against the %s dialect', (dialect) => {
  let rig: ReadyRig
  let whole: ReadyRig
  const reports = new Map<string, Manifest>()

  beforeAll(async () => {
    rig = await ReadyRig.start({ products, dialect })
    whole = await ReadyRig.beside(rig.sandbox)
    for (let night = 0; night <= nights; night++) {
      if (night > 0) rig.sandbox.advance()
      await Promise.all(nightly.map(async (file) => reports.set(file, (await rig.run(file)).report)))
    }
  })
  afterAll(() => Promise.all([rig.close(), whole.close()]))

  test.each(nightly)('%s holds after its nights what a first load of everything would', async (file) => {
    const { report: loaded } = await whole.run(file)
    expect([reports.get(file)?.state?.kind, loaded.state?.kind]).toEqual(['delta', 'full'])
    const gone = listVanished()
    const [kept, expected] = [await readAll(rig, file, reports.get(file)!), await readAll(whole, file, loaded)]
    // Nobody says that a product has vanished: the next full read finds it.
    const isThere = (row: Row) => !gone.has(String(Object.values(row)[0]))
    // A record that was only touched keeps its former time in a lake.
    const left = file === 'nightly-lake.yaml' ? [...volatile, /^meta_updated_at$/] : volatile
    const show = (row: Row) =>
      JSON.stringify(Object.entries(row).filter(([name]) => !left.some((each) => each.test(name))))
    expect(kept.map((rows) => rows.filter(isThere).map(show).toSorted())).toEqual(
      expected.map((rows) => rows.map(show).toSorted()),
    )
    const ids = kept[0]!.map(({ id }) => String(id))
    expect(ids.filter((id) => !gone.has(id)).toSorted()).toEqual(listIds().toSorted())
  })

  const listIds = (): string[] => [...rig.sandbox.productsOn()].map(({ id }) => String(id))

  function listVanished(): Set<string> {
    const there = new Set(listIds())
    return new Set(rig.sandbox.changes.filter(({ id }) => !there.has(id)).map(({ id }) => id))
  }
})

/** The tables of a pipeline in each of its outputs, the root table first. */
async function readAll(from: ReadyRig, file: string, report: Manifest): Promise<Row[][]> {
  const plan = await from.plan(file)
  const tables: Row[][][] = []
  for (const { name } of plan.records.tables) tables.push(await from.readTable(plan.outputs, report, name))
  return tables.flat()
}

/** Signed anew at every request, or of a history. */
const volatile = [/^meta_(?:embed|public_page)_url$|^valid_|^is_current$/]
