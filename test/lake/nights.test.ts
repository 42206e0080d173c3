import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { buildChild } from '../built-child.ts'
import { createRandom } from '../crash/moments.ts'
import { cases, fewOf, isDeep, isFull } from '../depth.ts'
import { StateFolder } from '../loads/state/state-folder.ts'
import type { KilledNight } from './killed-night-child.ts'
import { type ComparedTable, findDisagreeing, findDisagreeingWithSpark, skipsSpark } from './readers/other-readers.ts'
import { query, readDelta, selectRows } from './readers/read-delta.ts'
import { readIceberg } from './readers/read-iceberg.ts'

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

/** Columns that a touched record may have other values in, which a lake leaves as they are. */
const volatile = new Set(['meta_updated_at', 'meta_embed_url', 'meta_public_page_url'])

const lakes = fewOf(
  [
    { format: 'delta', deletes: 'rewrite' },
    { format: 'delta', deletes: 'vectors' },
    { format: 'iceberg', deletes: 'rewrite' },
    { format: 'iceberg', deletes: 'vectors' },
  ] as const,
  { format: 'delta', deletes: 'rewrite' },
  { format: 'iceberg', deletes: 'vectors' },
)
const modes = ['merge', 'history'] as const
const nights = cases(16, 3)
/** The config is edited before this night. */
const edited = cases(10, 1)
/** Nights before which a run was killed, CATALOGUE_CRASH_SEED says around which link. */
const killed = new Set(isFull ? [3, 8, 10, 15] : [2])
const random = createRandom(`${process.env['CATALOGUE_CRASH_SEED'] ?? '1'} lake nights`)

const outputs = modes.flatMap((mode): NonNullable<PipelineConfig['outputs']> => [
  { format: 'parquet', path: `out/${mode}/{table}.parquet`, mode },
  ...lakes.map((lake) => ({ ...lake, path: `out/${mode}-${lake.format}-${lake.deletes}/{table}`, mode })),
])
const children = {
  photos: 'photos[]',
  brands: 'brands[]',
  links: 'links[]',
}
const tableNames = ['products', ...Object.keys(children)]

/** After the edit a column has another name, and one is new. */
function tablesOf(night: number): NonNullable<PipelineConfig['tables']> {
  const changing =
    night < edited ? (['packageContent'] as const) : ([{ column: 'content', from: 'packageContent' }, 'vat'] as const)
  const columns = ['id', 'status', 'name', 'cnk', 'publicPrice', 'weightWithUnit', 'atcCategory', 'deleted', 'meta']
  return {
    products: { columns: [...columns, ...changing] },
    ...Object.fromEntries(Object.entries(children).map(([name, each]) => [name, { each, columns: 'all' as const }])),
  }
}

test(
  'tables of lakes hold the rows of the merged Parquet files after every night, with kills and an edit of the config, and other engines read the same',
  async () => {
    for (let night = 0; night < nights; night++) {
      const changes = { outputs, tables: tablesOf(night) }
      if (killed.has(night)) await killRun(folder.config(changes))
      const { state, databases = [] } = await folder.run(changes)
      // Everything is read again after an edit of the config.
      expect(state.kind === 'full' || night !== edited).toBe(true)
      // What a killed run has loaded is no change for the next one.
      const loads = killed.has(night) ? [] : databases
      expect(loads.map((load) => load.changes)).toEqual(loads.map(() => state.changes))
      const compared = await compareAll()
      expect(night % 5 === 2 ? findDisagreeing(compared) : []).toEqual([])
      expect(night === nights - 1 && isFull && !skipsSpark ? findDisagreeingWithSpark(compared) : []).toEqual([])
      folder.sandbox.advance()
    }
  },
  isDeep ? 2_700_000 : 300_000,
)

async function killRun(config: PipelineConfig): Promise<void> {
  const link = Math.floor(random() * lakes.length * modes.length * tableNames.length)
  const when = (['before', 'during', 'after'] as const)[Math.floor(random() * 3)] ?? 'before'
  const night: KilledNight = { config, outDir: folder.path, now: folder.sandbox.now(), link, when }
  const child = spawn(process.execPath, [await buildChild('killed-night-child.ts'), JSON.stringify(night)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  // A run in which fewer tables change ends before.
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`expected SIGKILL, got exit code ${code}: ${said}`)
}

/** Compares all cells of all tables with those of the merged files. */
async function compareAll(): Promise<ComparedTable[]> {
  const compared: ComparedTable[] = []
  const differing: string[] = []
  for (const mode of modes) {
    for (const { format, deletes } of lakes) {
      for (const table of tableNames) {
        const file = join(folder.path, mode, `${table}.parquet`)
        const lake = join(folder.path, `${mode}-${format}-${deletes}`, table)
        const { files, columns: all } = await (format === 'delta' ? readDelta(lake) : readIceberg(lake))
        const columns = all.filter((name) => !volatile.has(name))
        compared.push({ file, lake, columns })
        const select = (from: string) => `SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM ${from}`
        const expected = select(`'${file}'`)
        const found = files.length === 0 ? `${expected} WHERE false` : select(`(${selectRows(files)})`)
        const differences = `(${expected} EXCEPT ALL ${found}) UNION ALL (${found} EXCEPT ALL ${expected})`
        differing.push(`SELECT '${lake}', count(*)::INTEGER FROM (${differences}) HAVING count(*) > 0`)
      }
    }
  }
  expect(await query(differing.join(' UNION ALL '))).toEqual([])
  return compared
}
