import { type ContractName, suits } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import type { Source } from '../../sources/source.ts'
import type { RunCounters } from '../reading/run-counters.ts'

/** Markets add fields of their own, but not so many to nearly every record. */
const fewestFields = 3
const nearlyAll = 0.9

/**
 * Warns if files hold records of another contract than configured, which pass because its fields are optional; null if
 * not. Looks into the first file only if nearly every record has fields beyond the contract.
 */
export async function doubtContract(
  source: SourcePlan,
  { contract }: RecordsPlan,
  counters: Pick<RunCounters, 'ledger' | 'drift'>,
  [first]: readonly Source[],
  context: RequiredContext<'signal'> & Pick<RunContext, 'env'>,
): Promise<string | null> {
  if (source.kind !== 'files' || first === undefined || !first.canBeReadAgain) return null
  const fields = listUsualFields(counters)
  if (fields.length < fewestFields) return null
  const found = await recognize(first.name, context)
  if (found === null || suits(contract, found)) return null
  const shown = fields.slice(0, 3).join(', ')
  return `the records look like ${found}: nearly all have ${fields.length} fields that ${contract} does not list (${shown}, …); is source.contract right?`
}

/** Fields at the top level beyond the contract that nearly all records have. */
function listUsualFields({ ledger, drift }: Pick<RunCounters, 'ledger' | 'drift'>): string[] {
  if (ledger.accepted === 0) return []
  const isUsual = ([path, count]: [string, number]): boolean =>
    count >= nearlyAll * ledger.accepted && /^\w+$/.test(path)
  return Object.entries(drift.unknownFields)
    .filter(isUsual)
    .map(([path]) => path)
}

async function recognize(
  path: string,
  context: RequiredContext<'signal'> & Pick<RunContext, 'env'>,
): Promise<ContractName | null> {
  // Loaded lazily, as nearly all runs have no such doubt.
  const { recognizeExport } = await import('../../plan/source/recognize-export.ts')
  try {
    return (await recognizeExport(path, context)).contract
  } catch (error) {
    if (error instanceof CatalogueError && error.code !== 'INTERRUPTED') return null
    throw error
  }
}
