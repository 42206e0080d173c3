import { deserialize } from 'node:v8'
import { CatalogueError, messageOf } from '../../../errors.ts'
import type { EncodingPlan } from '../../../kernel/encode/encoding-plan.ts'
import type { OwnOutputReport } from '../../../manifest/manifest.ts'
import type { OwnOutputPlan } from '../../../plan/outputs/own-output-plan.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import type { Row } from '../../../records/flatten/column.ts'
import type { OwnOutput, OwnTable } from '../../../records/own-output.ts'
import { compileTableRow } from '../../../records/tables/compile-table-row.ts'
import type { TableRow } from '../../../records/tables/row-of.ts'
import { openTogether } from '../../../storage/open-together.ts'
import { formatColumnType } from '../../../types/column-types.ts'
import { callOwnOutput, type OwnContext } from './call-own-output.ts'

/** Adds to an encoding the rows of each table of each output of one's own, behind the pieces of its files. */
export function withOwnRows(encoding: EncodingPlan, outputs: readonly OwnOutputPlan[]): EncodingPlan {
  const tables = outputs.flatMap((output) => output.tables)
  const pieces = tables.map((table) => ({ table, format: { format: 'rows' } as const }))
  return { ...encoding, files: [...encoding.files, ...pieces] }
}

/** Tables of the outputs of a config's own: opened, written and committed one after the other, or aborted. */
export class OwnOutputs {
  readonly #tables: readonly OpenedTable[]
  readonly #firstPiece: number

  private constructor(tables: readonly OpenedTable[], firstPiece: number) {
    this.#tables = tables
    this.#firstPiece = firstPiece
  }

  static async open(plan: PipelinePlan, context: OwnContext): Promise<OwnOutputs> {
    const { files, own = [] } = plan.outputs
    return openTogether(async (keep) => {
      const tables: OpenedTable[] = []
      for (const output of own)
        for (const table of output.tables) tables.push(keep(await OpenedTable.open(plan, output, table, context)))
      return new OwnOutputs(tables, files.length)
    })
  }

  /** Hands over the rows of a block, whose memory is used again after that. */
  async write(pieces: readonly Uint8Array[]): Promise<void> {
    for (const [at, table] of this.#tables.entries()) {
      const piece = pieces[this.#firstPiece + at]
      if (piece !== undefined && piece.length > 0) await table.write(deserialize(piece) as Row[])
    }
  }

  report(): OwnOutputReport[] {
    return this.#tables.map((table) => table.report())
  }

  /** Commits each table. If one fails, the error says which ones hold the run already. */
  async commit(runId: string): Promise<void> {
    for (const [at, table] of this.#tables.entries()) {
      try {
        await table.commit(runId)
      } catch (error) {
        if (at === 0 || !(error instanceof CatalogueError)) throw error
        throw error.withOutputs(`The files are as they were. ${this.held} The next run brings all together.`)
      }
    }
  }

  /** A sentence about the tables whose commit ended well. */
  get held(): string {
    const held = this.#tables.filter(({ isCommitted }) => isCommitted).map(({ shown }) => shown)
    return `The commit of this run had ended well by then for ${held.join(' and ')}.`
  }

  async discard(): Promise<void> {
    for (const table of this.#tables) await table.discard()
  }
}

class OpenedTable {
  readonly shown: string
  readonly #name: Omit<OwnOutputReport, 'rows'>
  readonly #output: OwnOutput
  readonly #toTableRow: (row: Row) => TableRow
  readonly #context: OwnContext
  #rows = 0
  #state: 'open' | 'committed' | 'aborted' = 'open'

  private constructor(
    name: Omit<OwnOutputReport, 'rows'>,
    output: OwnOutput,
    toTableRow: (row: Row) => TableRow,
    context: OwnContext,
  ) {
    this.#name = name
    this.shown = show(name)
    this.#output = output
    this.#toTableRow = toTableRow
    this.#context = context
  }

  static async open(
    { name: pipeline, records }: PipelinePlan,
    { name: output, tables, open }: OwnOutputPlan,
    at: number,
    context: OwnContext,
  ): Promise<OpenedTable> {
    const { name = '', columns = [] } = records.tables[at] ?? {}
    const table: OwnTable = {
      pipeline,
      name,
      columns: columns.map((column) => ({ name: column.name, type: formatColumnType(column) })),
      tables: tables.map((each) => records.tables[each]?.name ?? ''),
      signal: context.signal,
    }
    const names = { output, table: name }
    const opened = await callOwnOutput(show(names), 'open', context, () => open(table))
    requireOutput(opened, show(names))
    return new OpenedTable(names, opened, compileTableRow(columns), context)
  }

  get isCommitted(): boolean {
    return this.#state === 'committed'
  }

  async write(rows: readonly Row[]): Promise<void> {
    await this.#call('write', () => this.#output.write(rows.map(this.#toTableRow)))
    this.#rows += rows.length
  }

  report(): OwnOutputReport {
    return { ...this.#name, rows: this.#rows }
  }

  async commit(runId: string): Promise<void> {
    await this.#call('commit', () => this.#output.commit({ runId, rows: this.#rows }))
    this.#state = 'committed'
  }

  /** Aborts what is not committed. A failure is a warning, as the run ends for another reason. */
  async discard(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'aborted'
    try {
      await this.#call('abort', () => this.#output.abort())
    } catch (error) {
      this.#context.onWarning?.(`something of this run may be left in it: ${messageOf(error)}`)
    }
  }

  #call(what: keyof OwnOutput, own: () => unknown): Promise<unknown> {
    return callOwnOutput(this.shown, what, this.#context, own)
  }
}

function show({ output, table }: Omit<OwnOutputReport, 'rows'>): string {
  return `output "${output}", table "${table}"`
}

function requireOutput(opened: unknown, shown: string): asserts opened is OwnOutput {
  const given = typeof opened === 'object' && opened !== null ? opened : {}
  const missing = (['write', 'commit', 'abort'] as const).filter(
    (key) => typeof (given as Partial<OwnOutput>)[key] !== 'function',
  )
  if (missing.length === 0) return
  const got = opened === given ? `one without ${missing.join(', ')}` : opened === null ? 'null' : typeof opened
  const message = `${shown}: expected { write, commit, abort } of open, got ${got}`
  throw new CatalogueError('CONFIG_INVALID', message, {
    title: 'An output of the config failed',
    fix: 'Let open give an object with these three functions.',
  })
}
