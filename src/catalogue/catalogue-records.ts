import {
  aFunction,
  aText,
  filledText,
  listOf,
  misusedBy,
  type OptionKinds,
  requireArgument,
  requireObject,
  requireOptions,
} from '../check-options.ts'
import type { ConditionsOf } from '../config/typed-conditions.ts'
import type { ColumnEntry, ExcludeEntry } from '../config/typed-table.ts'
import type { Contract, ContractName } from '../contracts/contracts.ts'
import { runPlan } from '../engine/run/run-pipeline.ts'
import { watchCallbacks } from '../watch-callbacks.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { RejectsFileLine } from '../records/reject.ts'
import type { AnyLocale, SpecLocale } from '../records/tables/locale.ts'
import type {
  EachName,
  RootTable,
  RowOf,
  RowOfList,
  TableName,
  TableOf,
  TableOfList,
  TableRow,
} from '../records/tables/row-of.ts'
import { entryOptions } from '../streams/plan-table.ts'
import { handReject } from '../streams/rejected-line.ts'
import { type ReadReport, reportNothing } from './read-report.ts'
import { planOptions, type Selected, type TableEntry, toConfig, toTableConfig, type Where } from './read-config.ts'
import { readRows } from './read-rows.ts'
import { Rows } from './rows.ts'
import { streamName } from './byte-stream.ts'
import { type SinksOf, type TableSink, type TablesOptions, tablesOptions, toTablesConfig } from './table-sinks.ts'
import type {
  ListRowsOptions,
  RowsCallbacks,
  RunTimeConditions,
  RunTimeRows,
  RunTimeTable,
  TableRowsOptions,
} from './typed-rows.ts'

/** One table, with the keys of a config. */
export interface RowsOptions extends TableEntry, RowsCallbacks {
  /** Locales that become columns. Default nl, fr, en. */
  readonly locales?: readonly string[] | undefined
}

/** Records of a contract from a source, to be read as rows or written as tables. */
export class CatalogueRecords<Of extends ContractName | Contract = Contract> {
  readonly #selected: Selected
  readonly #last: { report: () => ReadReport }

  /** `last` is shared by all selections of one source. */
  constructor(selected: Selected, last = { report: reportNothing }) {
    this.#selected = selected
    this.#last = last
  }

  /** The records that meet conditions, as in a config, beside those asked for before. */
  where<const Given extends Where>(conditions: Given & RunTimeConditions<Given>): CatalogueRecords<Of>
  where(conditions: ConditionsOf<TableOf<Of, RootTable<Of>>>): CatalogueRecords<Of>
  where(conditions: object): CatalogueRecords<Of> {
    requireObject('where', conditions)
    const { where = {} } = this.#selected
    const again = Object.keys(conditions).find((key) => Object.hasOwn(where, key))
    if (again !== undefined) throw misusedBy('where', `one condition on ${again}`, 'a second one')
    return new CatalogueRecords({ ...this.#selected, where: { ...where, ...conditions } }, this.#last)
  }

  /**
   * The rows of a table of the contract: its plural (`products`), a child table (`product_photos`), or any name with `each`.
   * Throws USAGE or CONFIG_INVALID at once for wrong options. Names that are known only at run time give a `TableRow`.
   */
  rows<const Name extends string, const Options extends RowsOptions = object>(
    table: Name & RunTimeTable<Of, Name, Options>,
    options?: Options & RunTimeRows<Of, Name, Options>,
  ): Rows<TableRow>
  rows<
    const Each extends EachName<Of>,
    const Own extends AnyLocale = SpecLocale,
    const Columns extends ColumnEntry<TableOfList<Of, Each>, Own> = 'all',
    const Excluded extends ExcludeEntry<TableOfList<Of, Each>> = never,
  >(
    table: string,
    options: ListRowsOptions<Of, Each, Own, Columns, Excluded>,
  ): Rows<RowOfList<Of, Own, Each, Columns, Excluded>>
  rows<
    const Name extends TableName<Of>,
    const Own extends AnyLocale = SpecLocale,
    const Columns extends ColumnEntry<TableOf<Of, Name>, Own> = 'all',
    const Excluded extends ExcludeEntry<TableOf<Of, Name>> = never,
  >(
    table: Name,
    options?: TableRowsOptions<Of, Name, Own, Columns, Excluded>,
  ): Rows<RowOf<Of, Own, Name, Columns, Excluded>>
  rows(table: string, given: object = {}): Rows<TableRow> {
    requireArgument('rows', 'table', table, filledText)
    requireOptions('rows', given, rowsOptions)
    const { locales, onReject, ...entry }: RowsOptions = given
    const { contract, source, options: read } = this.#selected
    const isTaken = onReject !== undefined && read.rejects?.limit === undefined
    const keys = {
      ...(locales && { locales: [...locales] }),
      ...(isTaken && { rejects: { ...read.rejects, limit: '100%' } }),
      tables: { [table]: toTableConfig(contract, table, entry, locales) },
    }
    const plan = planOptions('rows', toConfig(this.#selected, keys as object), read)
    const handle = onReject ?? (read.rejects?.limit === undefined ? refuse : () => undefined)
    const { env, onWarning } = read
    return new Rows((stop) => {
      const signal = read.signal === undefined ? stop : AbortSignal.any([stop, read.signal])
      const onReport = (report: () => ReadReport): void => void (this.#last.report = report)
      return readRows(plan, { signal, env, onWarning, takeStream: source.takeStream, onReject: handle, onReport })
    })
  }

  /**
   * Writes tables in one reading, all or none, as a run of a pipeline does: `{ products: csv('products.csv') }`. Resolves with
   * the report of the run, which its manifest holds.
   */
  async tables<const Names extends string>(sinks: SinksOf<Of, Names>, options?: TablesOptions): Promise<Manifest>
  async tables(sinks: Readonly<Record<string, TableSink>>, options: TablesOptions = {}): Promise<Manifest> {
    requireOptions('tables', options, tablesOptions)
    const { signal, workers, limit, wait, onProgress, ...keys } = options
    const { source, options: read } = this.#selected
    const config = toConfig(this.#selected, toTablesConfig(this.#selected, sinks, keys))
    const plan = planOptions('tables', config, read)
    const { env, onWarning } = read
    const signals = [signal, read.signal].filter((each) => each !== undefined)
    const run = {
      workers,
      limit,
      wait,
      env,
      onProgress,
      onWarning,
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    }
    const onRefused = (report: ReadReport): void => void (this.#last.report = () => report)
    const stream = source.takeStream && { stdin: source.takeStream(), stdinName: streamName }
    try {
      const report = await watchCallbacks(run, (watched) => runPlan(plan, { ...watched, ...stream, onRefused }))
      onRefused(report)
      return report
    } finally {
      stream?.stdin.destroy()
    }
  }

  /** The verdict on the reading that began last: ledger, completeness, rejects, drift. It is whole once that has ended. */
  report(): ReadReport {
    return this.#last.report()
  }
}

const rowsOptions: OptionKinds<RowsOptions> = { ...entryOptions, locales: listOf(aText), onReject: aFunction }

function refuse(line: RejectsFileLine): void | Promise<void> {
  const { source: _, sha256: _hash, index, id, issues, byteOffset, ...raw } = line
  return handReject({ lineInBlock: 0, index, id, issues, byteOffset: byteOffset ?? 0, raw }, line.line, undefined)
}
