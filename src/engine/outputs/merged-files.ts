import type { ChangeCounts, RemovedRecord } from '../../loads/merge-result.ts'
import type { FinishedFile } from '../../publish/publication.ts'
import type { FileReport, PublishedState } from '../../loads/state/published-state.ts'

/** The files that a load and what earlier runs published come to, under their staging names. */
export interface MergedFiles {
  readonly changes: ChangeCounts
  readonly removedRecords: readonly RemovedRecord[]
  /** As the manifest lists them: those of this run, and those of earlier ones that stay. */
  readonly files: readonly FileReport[]
  /** Of this run, those of the state too. */
  readonly staged: readonly FinishedFile[]
  readonly state: Pick<PublishedState, 'records' | 'tables' | 'obsoleteFiles'>
  discard(): Promise<void>
}
