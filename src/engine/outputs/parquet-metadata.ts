import type { PipelinePlan } from '../../plan/pipeline-plan.ts'

/** What the footer of a published Parquet file says of where it comes from; the run id is added when it is finished. */
export function toParquetMetadata({
  name,
  contract,
  contractVersion,
  configHash,
}: Pick<PipelinePlan, 'name' | 'contract' | 'contractVersion' | 'configHash'>) {
  return {
    'catalogue-etl.pipeline': name,
    'catalogue-etl.contract': `${contract}@${contractVersion}`,
    'catalogue-etl.config_hash': configHash,
  }
}
