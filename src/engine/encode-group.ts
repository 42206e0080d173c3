import type { EncodeRowGroup } from '../sinks/parquet/row-group-encoder.ts'
import type { RowGroup } from '../sinks/parquet/row-group-cutter.ts'
import type { EncodingPlan } from './encoding-plan.ts'

/** Encodes a row group of the Parquet file that is at `file` in the plan. The same row group gives the same bytes. */
export type EncodeGroup = (file: number, group: RowGroup) => Promise<Uint8Array<ArrayBuffer>>

/** For the thread that this runs in. Loads the encoder, which takes 100 ms, with the first row group. */
export function compileGroupEncoding({ records, files }: EncodingPlan): EncodeGroup {
  const encoders = new Map<number, EncodeRowGroup>()
  let loading: Promise<typeof import('../sinks/parquet/row-group-encoder.ts')> | undefined
  return async (file, group) => {
    const { createRowGroupEncoder } = await (loading ??= import('../sinks/parquet/row-group-encoder.ts'))
    const encode = encoders.get(file)
    if (encode !== undefined) return encode(group)
    const { table, format } = files[file] ?? {}
    if (table === undefined || format?.format !== 'parquet')
      throw new TypeError(`file ${file} of the plan is no Parquet`)
    const created = createRowGroupEncoder(records.tables[table]?.columns ?? [], format.compression)
    encoders.set(file, created)
    return created(group)
  }
}
