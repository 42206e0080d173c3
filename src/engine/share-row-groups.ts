import type { FilePlan } from '../config/pipeline-plan.ts'
import type { TablePlan } from '../records/table-plan.ts'

const mebibyte = 1024 * 1024
const leastBytes = mebibyte / 4

/**
 * How large the row groups of each file may become. The Parquet files of a run share one budget by their columns; as
 * the encoder needs five times that of memory, and every further file some of its own, many files get less in all:
 * one 32 MiB, 23 together 9 MiB. With that, 1 GB through three formats and 23 tables stays under 500 MB.
 */
export function shareRowGroups(files: readonly FilePlan[], tables: readonly TablePlan[]): Map<FilePlan, number> {
  const columnsOf = ({ table }: FilePlan): number => tables[table]?.columns.length ?? 0
  const parquet = files.filter(({ format }) => format.format === 'parquet')
  const budget = (8 + 24 / parquet.length) * mebibyte
  const columns = parquet.reduce((sum, file) => sum + columnsOf(file), 0)
  return new Map(parquet.map((file) => [file, Math.max(leastBytes, Math.floor((budget * columnsOf(file)) / columns))]))
}
