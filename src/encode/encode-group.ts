import { PageMemory } from '../formats/parquet/page-memory.ts'
import {
  createRowGroupEncoder,
  type EncodedRowGroup,
  type EncodeRowGroup,
} from '../formats/parquet/row-group-encoder.ts'
import type { RowGroup } from '../formats/parquet/row-group-cutter.ts'
import type { EncodingPlan } from './encoding-plan.ts'

/** Encodes a row group of the Parquet file that is at `file` in the plan. The same row group gives the same bytes. */
export type EncodeGroup = (file: number, group: RowGroup) => Promise<EncodedRowGroup>

/** Compiles a plan for this thread. All files share one memory, which is made for the first row group. */
export function compileGroupEncoding({ records, files }: EncodingPlan): EncodeGroup {
  const encoders = new Map<number, Promise<EncodeRowGroup>>()
  let memory: PageMemory | undefined

  async function createEncoder(file: number): Promise<EncodeRowGroup> {
    const { table, format } = files[file] ?? {}
    if (table === undefined || format?.format !== 'parquet')
      throw new TypeError(`file ${file} of the plan is no Parquet`)
    memory ??= new PageMemory()
    return createRowGroupEncoder(records.tables[table]?.columns ?? [], format.compression, memory)
  }

  return async (file, group) => {
    const encoder = encoders.get(file) ?? createEncoder(file)
    encoders.set(file, encoder)
    return (await encoder)(group)
  }
}
