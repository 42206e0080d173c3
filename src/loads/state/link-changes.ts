import { createHash } from 'node:crypto'
import type { FileReport, PublishedManifest } from '../../manifest/manifest.ts'
import { hashTable } from '../../plan/hash-plan.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { ChangeLink, Load } from '../merge-result.ts'
import { isOutputOf } from './published-parts.ts'

export type MergedLoad = Load & { readonly hasRejects: boolean }

export type LinkOf = (output: FilePlan) => ChangeLink & Pick<FileReport, 'shape'>

/**
 * Links the files of changes with those of the run before, as one chain for all tables: rows of a table are replaced if
 * their parent is in the file of another. The first run, also after a reset, and the first of a new output begin a chain, and
 * write every record. So does, within the chain, a run whose rows have another shape.
 */
export function linkChanges(
  { records: { tables }, outputs }: Pick<PipelinePlan, 'records' | 'outputs'>,
  load: MergedLoad,
  published: PublishedManifest | null,
): LinkOf {
  const records = published?.state?.records?.sha256 ?? null
  const earlier = (published?.files ?? []).filter(({ mode }) => mode === 'changes')
  const plans = outputs.files.filter(({ mode }) => mode === 'changes')
  const shapeOf = (output: FilePlan) => hash([hashTable(tables[output.table] as TablePlan), output.touched === true])
  const lastOf = (output: FilePlan) => earlier.findLast((file) => isOutputOf(file, output))
  // What a run with rejects could not write of every record, the first full one without them does.
  const isBehind = load.refresh === true || (load.kind === 'full' && !load.hasRejects)
  const isReshaped = (output: FilePlan) => {
    const shape = lastOf(output)?.shape
    return shape === undefined ? isBehind : shape !== shapeOf(output)
  }
  const run = hash([load.runId, records, earlier.at(-1)?.run])
  const begins = records === null || plans.some((output) => lastOf(output) === undefined)
  const previousRun = begins ? null : (earlier.at(-1)?.run ?? null)
  const isWhole = begins || plans.some(isReshaped)
  const lacksRows = isWhole && records !== null && load.hasRejects
  return (output) => {
    const touched = isWhole || output.touched === true ? (['touched'] as const) : []
    const placed = ['new', 'changed', ...touched, ...(isWhole ? (['unchanged'] as const) : [])] as const
    const shape = lacksRows ? undefined : isWhole ? shapeOf(output) : lastOf(output)?.shape
    return { run, previousRun, placed, shape }
  }
}

function hash(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
