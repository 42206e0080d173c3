import { join } from 'node:path'
import type { Baseline, Load } from '../../loads/merge-result.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { checkStateFile } from '../../loads/state/state-files.ts'
import { type PublishedManifest, type StateTable, listBaselineFiles } from '../../manifest/manifest.ts'

/**
 * Finds the files of earlier runs to merge a load into, by current table, and checks that they are as published.
 * Objects are copied into the folder, as DuckDB reads local files.
 */
export async function bringBaseline(
  { tables }: RecordsPlan,
  { manifest }: ReportPlan,
  { kind }: Pick<Load, 'kind'>,
  published: PublishedManifest | null,
  folder: string,
  storage: Pick<FileStorage, 'toLocal'>,
): Promise<Baseline> {
  const state = published?.state ?? null
  const known = new Map((state === null ? [] : listBaselineFiles(state)).map((file) => [file.path, file]))
  let brought = 0
  const bring = async (path: string): Promise<string> => {
    const local = await storage.toLocal(path, join(folder, `baseline-${++brought}.parquet`))
    const file = known.get(path)
    if (file !== undefined) await checkStateFile(manifest.path, file, local)
    return local
  }
  // A backfill may come before any other run.
  const nothing = kind === 'delta' && state === null ? [] : null
  const bringTables = async (mode: StateTable['mode']): Promise<Baseline['current']> => {
    const all: (readonly string[] | null)[] = []
    for (const { name } of tables) {
      const found = state?.tables.find((each) => each.table === name && each.mode === mode)
      const paths: string[] = []
      for (const { path } of found?.files ?? []) paths.push(await bring(path))
      all.push(found === undefined ? nothing : paths)
    }
    return all
  }
  const behind = tables.flatMap(({ name }, table) =>
    (state?.tables ?? []).flatMap((each) => (each.table === name && each.isBehind ? [{ table, mode: each.mode }] : [])),
  )
  return {
    behind,
    records: state?.records ? await bring(state.records.path) : null,
    current: await bringTables('merge'),
    history: await bringTables('history'),
  }
}
