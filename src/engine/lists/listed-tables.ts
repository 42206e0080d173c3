import { deserialize } from 'node:v8'
import { CatalogueError } from '../../errors.ts'
import { createRowEncoder } from '../../formats/file-format.ts'
import type { EncodingPlan } from '../../kernel/encode/encoding-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { Row } from '../../records/flatten/column.ts'
import { type ColumnPlan, isOfList, type TablePlan } from '../../records/flatten/table-plan.ts'
import type { OutputFile } from '../outputs/output-file.ts'
import type { RunEnd } from '../outputs/outputs.ts'
import { type LineResult, matchList } from './match-list.ts'

/**
 * Adds to an encoding, for each table whose rows are the lines of a list, the rows of its products as a piece of its own:
 * the last pieces of a block. The pieces of its files have no line of the list yet, and are not written.
 */
export function withListedRows(encoding: EncodingPlan): EncodingPlan {
  const { records, files } = encoding
  const tables = records.tables.filter(isOfList).map(toRowTable)
  const pieces = tables.map((_, at) => ({ table: records.tables.length + at, format: { format: 'rows' } as const }))
  return { ...encoding, records: { ...records, tables: [...records.tables, ...tables] }, files: [...files, ...pieces] }
}

/** The id of the record, then the columns of the table without those of the list. */
function toRowTable({ name, each, columns, where }: TablePlan): TablePlan {
  const key: ColumnPlan = { name: 'id', type: { kind: 'text' }, list: false, from: 'id', source: { kind: 'key' } }
  const own = columns
    .filter(({ source }) => source.kind !== 'listed')
    .map((column, at) => ({ ...column, name: `c${at}` }))
  return { name: `${name} of the list`, each, where, columns: [key, ...own], isCountedOnly: true }
}

/** The rows of the products of a list, held until all are known, and written a row a line of the list. */
export class ListedTables {
  readonly #plan: PipelinePlan
  readonly #pieces: Buffer[][]
  readonly #files: { readonly output: OutputFile; readonly table: TablePlan }[] = []
  readonly #tables: readonly TablePlan[]
  #heldBytes = 0
  #results: readonly LineResult[] | null = null

  constructor(plan: PipelinePlan) {
    this.#plan = plan
    this.#tables = plan.records.tables.filter(isOfList)
    this.#pieces = this.#tables.map(() => [])
  }

  /** Wraps the files of these tables: they get their rows from here. */
  wrap(files: readonly OutputFile[]): OutputFile[] {
    return files.map((output) => {
      const table = this.#plan.records.tables[output.plan.table]
      if (table === undefined || !isOfList(table)) return output
      this.#files.push({ output, table })
      const rows = this.#plan.source.sourceIds?.matched?.lines.length ?? 0
      return { ...output, write: () => undefined, finish: async (runId) => ({ ...(await output.finish(runId)), rows }) }
    })
  }

  /** Takes the pieces of a block, whose memory is used again. Throws OUTPUT_INVALID above what may be held. */
  add(pieces: readonly Uint8Array[]): void {
    const own = pieces.slice(pieces.length - this.#tables.length)
    for (const [at, piece] of own.entries()) {
      if (piece.length === 0) continue
      this.#pieces[at]?.push(Buffer.from(piece))
      this.#heldBytes += piece.length
    }
    if (this.#heldBytes <= mostHeldBytes) return
    const message = `${this.#plan.name}: expected at most 1 GiB of rows for \`order: list\`, got more`
    throw new CatalogueError('CONFIG_INVALID', message, {
      fix: 'Choose fewer columns, divide the list, or leave out `order: list` and `keep`: then rows come as they are read.',
    })
  }

  /** What became of each line. To be called after reading. */
  match(end: RunEnd): readonly LineResult[] {
    const { source } = this.#plan
    const list = source.sourceIds?.matched
    return (this.#results ??= list === undefined ? [] : matchList(source, list, end))
  }

  /** Writes the rows of all files of these tables. */
  async write(end: RunEnd): Promise<void> {
    const results = this.match(end)
    for (const [at, table] of this.#tables.entries()) {
      const rows = toRows(this.#pieces[at] ?? [])
      for (const each of this.#files) if (each.table === table) await writeRows(each.output, table, results, rows)
      this.#pieces[at] = []
    }
  }
}

const mostHeldBytes = 2 ** 30

function toRows(pieces: readonly Buffer[]): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (const piece of pieces) for (const [id, ...row] of deserialize(piece) as Row[]) rows.set(String(id), row)
  return rows
}

async function writeRows(
  { plan, write }: Pick<OutputFile, 'plan' | 'write'>,
  { columns }: TablePlan,
  results: readonly LineResult[],
  rows: ReadonlyMap<string, Row>,
): Promise<void> {
  const encode = createRowEncoder(plan.format, columns)
  const listed = columns.filter(({ source }) => source.kind === 'listed').length
  const none = Array.from({ length: columns.length - listed }, () => null)
  for (let at = 0; at < results.length; at += rowsAPiece) {
    const part = results.slice(at, at + rowsAPiece).map(({ line, id, text }): Row => {
      return [line.line, text, ...line.kept, ...((id === null ? undefined : rows.get(id)) ?? none)]
    })
    await write(encode(part))
  }
}

const rowsAPiece = 1000
