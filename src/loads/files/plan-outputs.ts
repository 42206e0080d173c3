import type { FileFormat } from '../../formats/file-format.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { ChangeLink, MergeOptions } from '../merge-result.ts'
import type { KeyedTable } from '../../plan/loads/stateful-plan.ts'

/** A table of the state: for a mode whose outputs don't hold it as the next run needs it. */
export interface StateOutput extends Omit<FilePlan, 'mode'> {
  readonly mode: 'merge' | 'history'
  readonly isState: true
}

/** Outputs that are written from the same rows in the same order. */
export interface PlannedSet extends Pick<FilePlan, 'table' | 'mode' | 'removed' | 'partitionBy'> {
  /** With `changes`, else null. */
  readonly link: ChangeLink | null
  readonly outputs: readonly (FilePlan | StateOutput)[]
}

export interface OutputsPlan {
  readonly sets: readonly PlannedSet[]
  readonly states: readonly StateOutput[]
  /**
   * By table: the output or file of the state that is the baseline of the next run; null if no output of the table has
   * that mode.
   */
  readonly current: readonly (FilePlan | StateOutput | null)[]
  readonly history: readonly (FilePlan | StateOutput | null)[]
}

export function planOutputs(
  tables: readonly KeyedTable[],
  outputs: readonly FilePlan[],
  { stateFolder, linkOf }: Pick<MergeOptions, 'stateFolder' | 'linkOf'>,
): OutputsPlan {
  const find = (mode: StateOutput['mode']) =>
    tables.map(({ name }, table) =>
      findHolder(outputs, { table, mode, path: `${stateFolder}/${mode}/${name}.parquet` }),
    )
  const current = find('merge')
  const history = find('history')
  const states = [...current, ...history].filter((holder) => holder !== null && 'isState' in holder) as StateOutput[]
  return { sets: groupBySet([...outputs, ...states], linkOf), states, current, history }
}

/** Finds a local Parquet file with all rows of the mode, else a file of the state. */
function findHolder(
  outputs: readonly FilePlan[],
  { table, mode, path }: Pick<StateOutput, 'table' | 'mode' | 'path'>,
): FilePlan | StateOutput | null {
  const ofMode = outputs.filter((output) => output.table === table && output.mode === mode)
  if (ofMode.length === 0) return null
  const isMarked = mode === 'merge' && ofMode.some((output) => output.removed === 'mark')
  const removed = isMarked ? 'mark' : 'drop'
  const holds = (output: FilePlan) =>
    output.format.format === 'parquet' && (!isMarked || output.removed === 'mark') && !/^\w{2,}:\/\//.test(output.path)
  return (
    ofMode.find(holds) ?? {
      isState: true,
      table,
      mode,
      path,
      removed,
      format: stateFormat,
      gzip: false,
      partitionBy: [],
      rowsPerFile: null,
      bytesPerFile: null,
    }
  )
}

function groupBySet(outputs: readonly (FilePlan | StateOutput)[], linkOf: MergeOptions['linkOf']): PlannedSet[] {
  const groups = new Map<string, (FilePlan | StateOutput)[]>()
  const toLink = (output: FilePlan | StateOutput) => (output.mode === 'changes' ? (linkOf?.(output) ?? null) : null)
  for (const output of outputs) {
    const removed = output.mode === 'merge' ? output.removed : null
    const key = JSON.stringify([output.table, output.mode, removed, toLink(output), output.partitionBy])
    groups.set(key, [...(groups.get(key) ?? []), output])
  }
  return [...groups.values()].map((group) => {
    const [first] = group as [FilePlan]
    const { table, mode, removed, partitionBy } = first
    return { table, mode, removed, link: toLink(first), partitionBy, outputs: group }
  })
}

export const stateFormat: FileFormat = { format: 'parquet', compression: 'zstd', rowGroupRows: 100_000 }
