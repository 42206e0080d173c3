import type { PipelinePlan } from '../config/pipeline-plan.ts'

/** Where a source that can be read only once is copied to when it has to be read twice. */
export function sourceCopyPath({ manifest }: PipelinePlan): string {
  return `${manifest.path}.source`
}

/** Where a window of a partitioned stream waits for its turn. */
export function windowPath({ manifest }: PipelinePlan, window: number): string {
  return `${manifest.path}.window-${window}`
}

/** Every file that a run may have beside its outputs, for the next one to clear. */
export function listSideFiles(plan: PipelinePlan): string[] {
  const partition = plan.source.kind === 'service' ? plan.source.partition : null
  // One window more holds the records without a moment of creation.
  const windows = partition === null ? 0 : partition.windows + 2
  return [sourceCopyPath(plan), ...Array.from({ length: windows }, (_, window) => windowPath(plan, window))]
}
