import { join } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import { quoteName } from '../../loads/files/sql-text.ts'
import type { FileReport } from '../../manifest/manifest.ts'
import { tryJson } from '../../manifest/try-json.ts'
import { isObject } from '../../records/json/json-values.ts'
import {
  type ChangeRun,
  type ChangeTables,
  chooseRuns,
  findChangeTables,
  listChangeRuns,
  missing,
} from '../changes/change-runs.ts'
import type { RunTable } from '../diff/runs/run-tables.ts'
import { describeTable } from '../profile/readable-table.ts'
import { quotePaths, type States, type StatesAccess, toPlaces, toTable } from './states.ts'
import type { Since } from './since.ts'

/**
 * The records as the runs up to two of them left them, from kept files of changes. A span that begins before the first
 * kept run begins with that. Null if the pipeline keeps no such files.
 */
export async function openChangeStates(
  since: Exclude<Since, { kind: 'folder' }>,
  access: StatesAccess,
): Promise<States | null> {
  const { plan, published } = access
  const found = findTables(access)
  if (found === null) return null
  const runs = listChangeRuns(plan.name, published, found)
  const files = new ChangeFiles(access, found.root)
  const timed: TimedRun[] = []
  const times = await readRunTimes(access)
  for (const run of runs) timed.push({ ...run, at: times.get(run.run) ?? (await files.findTime(run)) })
  const begin = findBegin(plan.name, timed, since)
  const notes = begin.note === null ? [] : [begin.note]
  const last = timed.length - 1
  return {
    basis: 'changes',
    old: await files.openState(timed.slice(0, begin.at + 1)),
    next: await files.openState(timed),
    since: timed[begin.at]?.at ?? null,
    until: timed[last]?.at ?? null,
    notes,
  }
}

interface TimedRun extends ChangeRun {
  readonly at: string
}

function findTables({ plan }: StatesAccess): ChangeTables | null {
  try {
    return findChangeTables(plan, [])
  } catch (error) {
    if (error instanceof CatalogueError && error.code === 'USAGE') return null
    throw error
  }
}

/** The last run that the span does not include. */
function findBegin(name: string, runs: readonly TimedRun[], since: Exclude<Since, { kind: 'folder' }>) {
  if (since.kind === 'time') {
    const at = runs.findLastIndex((run) => Date.parse(run.at) <= since.at.getTime())
    const first = runs[0]?.at ?? ''
    const note = `The kept changes begin with the run of ${first.slice(0, 16).replace('T', ' ')} UTC, and so does this digest.`
    return at < 0 ? { at: 0, note } : { at, note: null }
  }
  const at = runs.findIndex(({ run }) => run.startsWith(since.run))
  if (at >= 0) return { at, note: null }
  const known = runs.slice(-3).map(({ run }) => run)
  throw new CatalogueError(
    'USAGE',
    `--since ${since.run}: expected a run with kept changes of ${name}, got none of this name`,
    {
      fix: `The last ones are ${known.join(', ')}.`,
    },
  )
}

/** The starts of runs by their name in files of changes, from the history of runs. */
async function readRunTimes({ plan, storage }: StatesAccess): Promise<Map<string, string>> {
  const { runs } = plan.report
  const bytes = runs === null ? null : await storage.read(runs.path)
  const lines = bytes === null ? [] : Buffer.from(bytes).toString().split('\n')
  return new Map(
    lines.flatMap((line) => {
      const run = line === '' ? null : tryJson(line)
      if (!isObject(run) || typeof run['changesRun'] !== 'string' || typeof run['startedAt'] !== 'string') return []
      return [[run['changesRun'], run['startedAt']] as const]
    }),
  )
}

/** The files of changes of the table of records, each brought to this machine once. */
class ChangeFiles {
  readonly #access: StatesAccess
  readonly #root: string
  readonly #local = new Map<string, string>()

  constructor(access: StatesAccess, root: string) {
    this.#access = access
    this.#root = root
  }

  /** The time of the last change of a run, if the history of runs has lost it. */
  async findTime(run: ChangeRun): Promise<string> {
    const paths = await this.#bring(run.files.get(this.#root) ?? [])
    const [[time] = []] = await this.#access.duckdb.readAll(
      `SELECT epoch_ms(max(_changed_at))::DOUBLE FROM read_parquet(${quotePaths(paths)})`,
    )
    return new Date(Number(time ?? 0)).toISOString()
  }

  /** The last row of every record that the runs left. Throws SOURCE_CHANGED if one of them is gone. */
  async openState(runs: readonly ChangeRun[]): Promise<RunTable> {
    const { plan, duckdb } = this.#access
    const { first } = chooseRuns(plan.name, runs, undefined)
    const listed = runs.slice(first).flatMap(({ files }) => files.get(this.#root) ?? [])
    const paths = await this.#bring(listed)
    const columns = [...new Map(listed.flatMap((file) => file.columns.map((column) => [column.name, column]))).values()]
    const places = toPlaces(listed.at(-1)?.columns ?? [])
    const id = quoteName([...places].find(([, place]) => place === 'id')?.[0] ?? '')
    const from = `(SELECT * FROM read_parquet(${quotePaths(paths)}, union_by_name = true, filename = '_file')
      QUALIFY row_number() OVER (PARTITION BY ${id} ORDER BY list_position(${quotePaths(paths)}, _file) DESC) = 1)`
    const current = `(SELECT * FROM ${from} WHERE _change <> 'removed')`
    return toTable(await describeTable(duckdb, { name: this.#root, from: current }, columns), places)
  }

  async #bring(files: readonly FileReport[]): Promise<string[]> {
    const { plan, storage, folder } = this.#access
    const paths: string[] = []
    for (const { path, bytes } of files) {
      const known = this.#local.get(path)
      if (known === undefined && (await storage.sizeOf(path)) !== bytes)
        throw missing(
          `${plan.name}: expected the file of changes ${path} as the manifest lists it, got none or another`,
        )
      const local = known ?? (await storage.toLocal(path, join(folder, `changes-${this.#local.size}.parquet`)))
      this.#local.set(path, local)
      paths.push(local)
    }
    return paths
  }
}
