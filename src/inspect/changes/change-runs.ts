import { CatalogueError } from '../../errors.ts'
import { isOutputOf } from '../../loads/state/published-parts.ts'
import type { FileReport, PublishedManifest } from '../../manifest/manifest.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'

/** What a run changed: its files by table, the table without `each` first. */
export interface ChangeRun {
  readonly run: string
  /** The run whose changes come right before; null if the files hold every record there is. */
  readonly previousRun: string | null
  readonly files: ReadonlyMap<string, readonly FileReport[]>
}

export interface ChangeTables {
  /** The table without `each`, which lists every changed record. */
  readonly root: string
  readonly outputs: ReadonlyMap<string, FilePlan>
}

/** Finds the Parquet outputs of the records and of these tables. Throws USAGE if there are none. */
export function findChangeTables({ name, records, outputs }: PipelinePlan, tables: readonly string[]): ChangeTables {
  const ofChanges = outputs.files.filter(({ mode, format }) => mode === 'changes' && format.format === 'parquet')
  const nameOf = ({ table }: FilePlan) => records.tables[table]?.name ?? ''
  const root = ofChanges.find(({ table }) => records.tables[table]?.each.length === 0)
  if (root === undefined)
    throw lacksOutput(`${name}: expected an output with format: parquet and mode: changes, got none`)
  const found = new Map([[nameOf(root), root]])
  for (const table of tables) {
    const output = ofChanges.find((each) => nameOf(each) === table && each.touched === root.touched)
    if (output === undefined) {
      const known = [...new Set(ofChanges.map(nameOf))].join(', ')
      throw lacksOutput(
        `${name}: expected a table with format: parquet and mode: changes, one of ${known}, got "${table}"`,
      )
    }
    found.set(table, output)
  }
  return { root: nameOf(root), outputs: found }
}

function lacksOutput(message: string): CatalogueError {
  const fix =
    'Add one to the config, such as `{ format: parquet, path: out/changes/{table}.parquet, mode: changes }`, and run it.'
  return new CatalogueError('USAGE', message, { fix })
}

/** The runs that a manifest lists, in their order. Throws SOURCE_CHANGED if there are none. */
export function listChangeRuns(
  name: string,
  { files }: Pick<PublishedManifest, 'files'>,
  { root, outputs }: ChangeTables,
): ChangeRun[] {
  const own = [...outputs].map(([table, output]) => [table, files.filter((file) => isOutputOf(file, output))] as const)
  const [[, ofRoot]] = own as [readonly [string, FileReport[]]]
  if (ofRoot.length === 0) throw lacksFiles(name, files, outputs.get(root) as FilePlan)
  const previous = new Map(ofRoot.map(({ run = '', previousRun = null }) => [run, previousRun]))
  return [...previous].map(([run, previousRun]) => {
    const ofRun = own.map(([table, all]) => [table, all.filter((file) => file.run === run)] as const)
    return { run, previousRun, files: new Map([...ofRun].toSorted(([one]) => (one === root ? -1 : 0))) }
  })
}

function lacksFiles(name: string, files: readonly FileReport[], { path }: FilePlan): CatalogueError {
  const listed = [
    ...new Set(files.flatMap(({ mode, base }) => (mode === 'changes' && base !== undefined ? [base] : []))),
  ]
  const found = listed.length === 0 ? 'no file of changes' : `those of ${listed.join(', ')}`
  const fix = 'Run the pipeline with this config; or read with the paths, and from the folder, that it ran with.'
  return new CatalogueError('SOURCE_CHANGED', `${name}: the manifest lists no changes of ${path}, but ${found}`, {
    title: 'The last run wrote no changes there',
    fix,
  })
}

/** A place in the runs: behind this record, or behind the whole run for null. */
export interface ChangePlace {
  readonly run: string
  readonly id: string | null
}

export function formatToken({ run, id }: ChangePlace): string {
  return id === null ? run : `${run}:${id}`
}

function parseToken(token: string): ChangePlace {
  const { run, id = null } = /^(?<run>[\da-f]+)(?::(?<id>.*))?$/s.exec(token)?.groups ?? {}
  if (run !== undefined) return { run, id }
  throw new CatalogueError('USAGE', `readChanges: expected the token of a change as \`after\`, got "${token}"`, {
    fix: 'Keep `token` of the last change that was dealt with, as it is.',
  })
}

/** The runs to read from the one behind a token, or else from the last that holds every record. Throws SOURCE_CHANGED for a gap. */
export function chooseRuns(
  name: string,
  runs: readonly ChangeRun[],
  token: string | undefined,
): { readonly first: number; readonly afterId: string | null } {
  const { first, afterId } = token === undefined ? findBegin(name, runs) : findPlace(name, runs, parseToken(token))
  for (let at = first + 1; at < runs.length; at++) {
    const { run, previousRun } = runs[at] as ChangeRun
    const before = (runs[at - 1] as ChangeRun).run
    if (previousRun === null || previousRun === before) continue
    throw missing(`${name}: expected the changes of run ${previousRun} before those of ${run}, got those of ${before}`)
  }
  return { first, afterId }
}

function findBegin(name: string, runs: readonly ChangeRun[]) {
  const first = runs.findLastIndex(({ previousRun }) => previousRun === null)
  if (first >= 0) return { first, afterId: null }
  throw missing(`${name}: expected changes that begin with every record, got those after run ${runs[0]?.previousRun}`)
}

function findPlace(name: string, runs: readonly ChangeRun[], { run, id }: ChangePlace) {
  const at = runs.findIndex((each) => each.run === run)
  if (at >= 0) return id === null ? { first: at + 1, afterId: null } : { first: at, afterId: id }
  const next = runs.findIndex(({ previousRun }) => previousRun === run)
  if (next >= 0 && id === null) return { first: next, afterId: null }
  throw missing(`${name}: expected the changes of run ${run}, after which to continue, got none`)
}

/** SOURCE_CHANGED for changes that are gone. */
export function missing(message: string): CatalogueError {
  return new CatalogueError('SOURCE_CHANGED', message, {
    title: 'Files of changes are missing',
    fix: 'Put the files back. Or give the output another `path`, if no later run holds every record: the next one does then. `readChanges` without `after` begins with it.',
  })
}
