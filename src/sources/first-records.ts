import { defaultMaxLineBytes } from '../records/block.ts'
import { parseLine } from '../records/parse-line.ts'
import { linesOf } from '../records/raw-line.ts'
import type { RequiredContext } from '../run-context.ts'
import type { Source } from './source.ts'

export interface ExportBeginning {
  readonly records: readonly { readonly record: unknown; readonly index: number | null }[]
  /** True if the file has no further records. */
  readonly isWhole: boolean
}

export interface FirstRecordsOptions extends RequiredContext<'signal'> {
  readonly most: number
  /** Stops after the block in which this many bytes are reached, counted from the first block with a record. */
  readonly mostBytes: number
}

export async function readFirstRecords(
  source: Source,
  { signal, most, mostBytes }: FirstRecordsOptions,
): Promise<ExportBeginning> {
  const records: ExportBeginning['records'][number][] = []
  let bytes = 0
  for await (const block of source.read(signal).blocks) {
    for (const line of linesOf(block)) {
      if (records.length === most) return { records, isWhole: false }
      const parsed = parseLine(line, { maxLineBytes: defaultMaxLineBytes, exactNumbers: false })
      if (parsed.kind === 'record') records.push({ record: parsed.delivered, index: parsed.index })
    }
    bytes += records.length === 0 ? 0 : block.bytes.length
    if (bytes >= mostBytes) return { records, isWhole: false }
  }
  signal.throwIfAborted()
  return { records, isWhole: true }
}
