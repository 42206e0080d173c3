import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import { quoteText } from '../../loads/files/sql-text.ts'
import { openRun, type ComparedRun, type RunTable } from '../diff/runs/run-tables.ts'
import type { RunSide } from '../diff/recognize-side.ts'
import { openListedTables, openPublishedTables } from '../profile/published-tables.ts'
import { openChangeStates } from './change-states.ts'
import type { Since } from './since.ts'
import { type States, type StatesAccess, toTable } from './states.ts'

/**
 * Opens what a pipeline keeps to compare: files of changes, else a history; or a kept run, if the span begins with its
 * folder. Throws USAGE if it keeps nothing.
 */
export async function openStates(since: Since, access: StatesAccess): Promise<States> {
  if (since.kind === 'folder') return openRunStates(since.side, access)
  const changes = await openChangeStates(since, access)
  if (changes !== null) return changes
  const history = since.kind === 'time' ? await openHistoryStates(since.at, access) : null
  if (history !== null) return history
  throw keepsNothing(access.plan.name, since)
}

async function openRunStates(side: RunSide, access: StatesAccess): Promise<States> {
  const { plan, env } = access
  const open = async (each: RunSide, name: string): Promise<ComparedRun> => {
    const folder = join(access.folder, name)
    await mkdir(folder)
    return openRun(each, { ...access, folder }, env)
  }
  const { path } = plan.report.manifest
  const [old, next] = [await open(side, 'old'), await open({ kind: 'run', path, files: [path] }, 'new')]
  const table = next.tables.find((each) => isOfRecords(each) && old.tables.some(({ name }) => name === each.name))
  const before = old.tables.find(({ name }) => name === table?.name)
  if (table === undefined || before === undefined) {
    const message = `${side.path}: expected the table of records that ${plan.name} publishes, got none`
    throw new CatalogueError('USAGE', message, { fix: 'Name the folder of an earlier run of this pipeline.' })
  }
  return { basis: 'runs', old: before, next: table, since: old.finishedAt, until: next.finishedAt, notes: [] }
}

function isOfRecords({ key, places }: RunTable): boolean {
  return key.isOfRecords && [...places.values()].includes('id')
}

/** The versions that were valid at a time, and those that are now. Null if no output has a history that can be read. */
async function openHistoryStates(at: Date, access: StatesAccess): Promise<States | null> {
  const { plan, published } = access
  const files = published.files.filter(({ mode }) => mode === 'history')
  const inFiles = await openListedTables({ files }, access)
  const tables = inFiles.length > 0 ? inFiles : await openPublishedTables(plan, { ...published, files: [] }, access, {})
  const root = plan.records.tables.find(
    ({ each, columns }) => each.length === 0 && columns.some(({ from }) => from === 'id'),
  )
  const table = tables.find(({ name, columns }) => name === root?.name && columns.some(isStart))
  if (table === undefined) return null
  const moment = `${quoteText(at.toISOString())}::TIMESTAMPTZ`
  const then = `(SELECT * FROM ${table.from} WHERE valid_from <= ${moment} AND (valid_to IS NULL OR valid_to > ${moment}))`
  const now = `(SELECT * FROM ${table.from} WHERE is_current)`
  const places = new Map((root?.columns ?? []).map(({ name, from }) => [name, from]))
  const open = (from: string) => toTable({ ...table, from }, places)
  const { startedAt = null } = published.state ?? {}
  return { basis: 'history', old: open(then), next: open(now), since: at.toISOString(), until: startedAt, notes: [] }
}

const isStart = ({ name }: { readonly name: string }) => name === 'valid_from'

function keepsNothing(name: string, since: Since): CatalogueError {
  const line = "- { format: parquet, path: 'out/{pipeline}/changes/{table}.parquet', mode: changes }"
  const of =
    since.kind === 'run' ? 'files of changes, which know runs' : 'files of changes, or a history that can be read'
  return new CatalogueError('USAGE', `${name}: expected ${of}, got an output that keeps nothing to compare`, {
    title: 'This pipeline keeps no changes',
    fix: `Add \`${line}\` under \`outputs:\`, and run it: the digest begins with that run. Or give the folder of a copied run: \`--since out-last-week/${name}\`.`,
  })
}
