import type { EncodedBlock, EncodingPlan } from '../../kernel/encode/encoding-plan.ts'
import { openEncoder } from '../../kernel/encode/open-encoder.ts'
import type { RowCounts } from '../../kernel/profile/column-counts.ts'
import type { Cell, Row } from '../../records/flatten/column.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import { splitLines } from './keyed-lines.ts'

/** Encodes lines of computed rows. */
export interface ComputedEncoder {
  /** One piece for each file of the table. They are lent until the next call. */
  encode(lines: Buffer): Promise<Pick<EncodedBlock, 'pieces' | 'rowCounts'>>
  /** Counts of all rows, of their only table. */
  collectCounts(): Promise<RowCounts>
  close(): Promise<void>
}

/** Encodes the lines of a computation as records of a contract with the columns of the table. */
export async function openComputedEncoder(
  { records, files, profiledTables = [] }: EncodingPlan,
  table: number,
): Promise<ComputedEncoder> {
  const planned = records.tables[table] as TablePlan
  const own = files.flatMap((file) => (file.table === table ? [{ ...file, table: 0 }] : []))
  const encoder = await openEncoder(
    { records: toRecords(planned), files: own, profiledTables: profiledTables.includes(table) ? [0] : [] },
    { workers: 0 },
  )
  let last: EncodedBlock | null = null
  return {
    async encode(bytes) {
      if (last !== null) encoder.release(last)
      last = await encoder.encodeBlock({ bytes, byteOffset: 0, droppedBytes: 0, unterminated: false })
      const [issue] = last.rejects[0]?.issues ?? []
      if (issue !== undefined) throw new TypeError(`${planned.name}: a computed row: ${issue.path} ${issue.message}`)
      return last
    },
    collectCounts: async () => (await encoder.collectCounts())[0] ?? [],
    close: () => encoder.close(),
  }
}

/** The rows that lines of a computation have. */
export function readComputedRows(lines: Buffer, columns: readonly ColumnPlan[]): Row[] {
  return splitLines(lines).map((line) => {
    const record = JSON.parse(line) as Readonly<Record<string, Cell>>
    return columns.map((column) => record[toFieldName(column)] ?? null)
  })
}

function toRecords({ name, columns }: TablePlan): EncodingPlan['records'] {
  const computed = columns.filter(({ source }) => source.kind !== 'key')
  return {
    contract: 'raw',
    extra: Object.fromEntries(computed.map((column) => [toFieldName(column), toFieldType(column)])),
    drift: { unknownFields: 'ignore', unknownValues: 'report', invalidValues: 'reject' },
    locales: [],
    where: [],
    tables: [{ name, each: [], where: [], columns: columns.map(toFieldColumn) }],
    maxLineBytes: mostLineBytes,
  }
}

/** The key of a row is the id of its line. */
function toFieldName({ name, source }: ColumnPlan): string {
  return source.kind === 'key' ? 'id' : name
}

function toFieldColumn(column: ColumnPlan): ColumnPlan {
  if (column.source.kind === 'key') return column
  const steps = [{ kind: 'field', name: toFieldName(column) }] as const
  return { ...column, source: { kind: 'path', steps, delivered: toFieldType(column), unitScale: 0 } }
}

/** A time is written in lines as the service delivers it. `readComputedRows` reads none. */
function toFieldType({ name, type: { kind } }: ColumnPlan): 'text' | 'integer' | 'float' | 'boolean' | 'timestamp' {
  switch (kind) {
    case 'text':
    case 'integer':
    case 'float':
    case 'boolean':
    case 'timestamp':
      return kind
    default:
      throw new TypeError(`${name}: expected a computed column of text, numbers, booleans or times, got ${kind}`)
  }
}

/** A row has all that its group has in common. */
const mostLineBytes = 1024 * 1024 * 1024
