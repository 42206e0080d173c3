import type { TableDifference, VerifiedTarget } from '../loads/databases/verify-target.ts'
import { checkLake, type CheckedTable, listDamaged, sumRows } from './check-lake.ts'
import type { LakeOutputPlan } from './lake-plan.ts'
import type { LakeSession } from './lake-format.ts'
import { type LakeOptions, openLakeSession } from './lake-session.ts'

/**
 * Compares the tables of a lake with its state: whether they are there as the last load left them, with every data file, and how
 * many rows the logs say they have.
 */
export async function verifyLake(plan: LakeOutputPlan, options: LakeOptions = {}): Promise<VerifiedTarget> {
  const session = await openLakeSession(plan, options)
  try {
    return await compareTables(session, plan)
  } finally {
    await session.close()
  }
}

async function compareTables(session: LakeSession, plan: LakeOutputPlan): Promise<VerifiedTarget> {
  const shown = plan.target.path
  const lake = await checkLake(session, plan, '')
  const tables = plan.tables.map(({ name }, at) => {
    const { log } = lake.tables[at] ?? {}
    return { name, rows: log ? sumRows([...log.newest.files.values()]) : null }
  })
  if (lake.last === null) {
    const expected = `a load of pipeline "${plan.pipeline}"`
    const none = { kind: 'missing', table: null, expected, got: 'a lake without its state' } as const
    return { shown, startedAt: null, tables, differences: [none] }
  }
  const differences: TableDifference[] = []
  for (const [at, { name }] of plan.tables.entries()) {
    const known = lake.last.tables[name]
    // Tables that a config adds are loaded by its first run.
    if (known === undefined || known.isLeft === true) continue
    const { log = null, lost = null } = lake.tables[at] ?? {}
    const expected = `version ${known.version}, as the last load left it`
    if (log === null) differences.push({ kind: 'missing', table: name, expected, got: 'no table' })
    else if (lost !== null) differences.push({ kind: 'changed', table: name, expected, got: lost })
    else if (lake.changed.includes(name)) {
      const got = `version ${log.newest.version}, with other rows, which the next run brings back`
      differences.push({ kind: 'changed', table: name, expected, got })
    }
    differences.push(...(await listMissing(session, name, lake.tables[at])))
  }
  return { shown, startedAt: lake.last.startedAt, tables, differences }
}

async function listMissing(
  session: LakeSession,
  table: string,
  checked: CheckedTable | undefined,
): Promise<TableDifference[]> {
  const { folder = '', log = null } = checked ?? {}
  const differences: TableDifference[] = []
  for await (const { path, expected, bytes } of listDamaged(session, folder, log?.newest.files.values() ?? [])) {
    const got = bytes === null ? `no file ${path}` : `${path} with ${bytes} bytes`
    differences.push({
      kind: bytes === null ? 'missing' : 'changed',
      table,
      expected: `a file of ${expected} bytes`,
      got,
    })
  }
  return differences
}
