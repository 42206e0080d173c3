import {
  aText,
  filledText,
  keysOfConfig,
  listOf,
  misuse,
  type OptionKinds,
  requireArgument,
  requireOptions,
} from '../check-options.ts'
import type { PipelineConfig } from '../config/pipeline-config.ts'
import type { Contract, ContractName } from '../contracts/contracts.ts'
import { type RunOptions, runOptions } from '../engine/run/run-pipeline.ts'
import type { TableName } from '../records/tables/row-of.ts'
import { entryOptions } from '../streams/plan-table.ts'
import { dialectOptions } from '../streams/to-text.ts'
import { type Selected, type TableEntry, toTableConfig } from './read-config.ts'

type OutputConfig = NonNullable<PipelineConfig['outputs']>[number]
type OutputOf<Format> = Omit<Extract<OutputConfig, { format: Format }>, 'tables'>
/** What a file holds, and how it is written, with the keys of `tables` and `outputs` in a config. */
export type SinkOptions<Format extends 'csv' | 'parquet' | 'ndjson'> = TableEntry &
  Omit<OutputOf<Format>, 'format' | 'path'>
/** Where a table goes, and what it holds: what `csv`, `parquet` and `ndjson` give, or any other output of a config. */
export type TableSink = { [Format in OutputConfig['format']]: TableEntry & OutputOf<Format> }[OutputConfig['format']]

/** Rows that the name of a table does not say: of a list, or computed over all records. */
type OwnRows = { readonly each: string } | { readonly builtin: NonNullable<TableEntry['builtin']> }

/** A sink for each table by its name; one with another name says what its rows are. */
export type SinksOf<Of extends ContractName | Contract, Names extends string> = {
  readonly [Name in Names]: string extends Name
    ? TableSink
    : Name extends TableName<Of>
      ? TableSink
      : TableSink & OwnRows
}

/** A CSV file for a table; with a name that ends in `.gz` it is compressed. */
export function csv(path: string, options: SinkOptions<'csv'> & OwnRows): TableSink & OwnRows
export function csv(path: string, options?: SinkOptions<'csv'>): TableSink
export function csv(path: string, options: SinkOptions<'csv'> = {}): TableSink {
  return toSink('csv', path, options)
}

/** A Parquet file for a table. */
export function parquet(path: string, options: SinkOptions<'parquet'> & OwnRows): TableSink & OwnRows
export function parquet(path: string, options?: SinkOptions<'parquet'>): TableSink
export function parquet(path: string, options: SinkOptions<'parquet'> = {}): TableSink {
  return toSink('parquet', path, options)
}

/** A file of JSON objects for a table, one on each line; with a name that ends in `.gz` it is compressed. */
export function ndjson(path: string, options: SinkOptions<'ndjson'> & OwnRows): TableSink & OwnRows
export function ndjson(path: string, options?: SinkOptions<'ndjson'>): TableSink
export function ndjson(path: string, options: SinkOptions<'ndjson'> = {}): TableSink {
  return toSink('ndjson', path, options)
}

function toSink(format: 'csv' | 'parquet' | 'ndjson', path: string, options: object): TableSink {
  requireArgument(format, 'path', path, filledText)
  requireOptions<object>(format, options, sinkOptions[format])
  return { ...options, format, path }
}

const fileOptions = {
  ...entryOptions,
  ...keysOfConfig('mode', 'removed', 'touched', 'partitionBy', 'rowsPerFile', 'bytesPerFile'),
}

const sinkOptions: { readonly [Format in 'csv' | 'parquet' | 'ndjson']: OptionKinds<SinkOptions<Format>> } = {
  csv: { ...fileOptions, ...dialectOptions, ...keysOfConfig('labels') },
  parquet: { ...fileOptions, ...keysOfConfig('compression', 'rowGroupRows') },
  ndjson: fileOptions,
}

/** How tables are written: keys of a config, and of the options of `runPipeline`. */
export interface TablesOptions
  extends
    Partial<Pick<PipelineConfig, 'name'>>,
    Pick<
      PipelineConfig,
      'check' | 'duplicates' | 'expect' | 'manifest' | 'profile' | 'report' | 'runs' | 'dataPackage' | 's3'
    >,
    Pick<RunOptions, 'signal' | 'workers' | 'limit' | 'wait' | 'onProgress'> {
  /** Locales that become columns. Default nl, fr, en. */
  readonly locales?: readonly string[] | undefined
}

const { signal, workers, limit, wait, onProgress } = runOptions

export const tablesOptions: OptionKinds<TablesOptions> = {
  ...keysOfConfig(
    'name',
    'check',
    'duplicates',
    'expect',
    'manifest',
    'profile',
    'report',
    'runs',
    'dataPackage',
    's3',
  ),
  signal,
  workers,
  limit,
  wait,
  onProgress,
  locales: listOf(aText),
}

/** The tables and outputs of a config. Files that explain a run are beside the first output, under its name. */
export function toTablesConfig(
  { contract, options: { rejects } }: Pick<Selected, 'contract' | 'options'>,
  sinks: Readonly<Record<string, TableSink>>,
  { locales, ...keys }: Omit<TablesOptions, keyof RunOptions>,
): Partial<PipelineConfig> {
  const entries = Object.entries(sinks ?? {}).map(([table, sink]) => [table, ...divide(table, sink)] as const)
  if (entries.length === 0)
    throw misuse('tables', "a sink for each table, such as { products: csv('products.csv') }", sinks)
  const first = entries.map(([, { path }]) => path).find((path) => typeof path === 'string' && !path.includes('{'))
  const beside = first !== undefined && {
    manifest: { path: `${first}.run.json` },
    rejects: { path: `${first}.rejects.ndjson`, ...rejects },
  }
  const config = {
    profile: false,
    report: false,
    runs: false,
    ...beside,
    ...Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined)),
    ...(locales && { locales: [...locales] }),
    tables: Object.fromEntries(
      entries.map(([table, , entry]) => [table, toTableConfig(contract, table, entry, locales)]),
    ),
    outputs: entries.map(([table, output]) => ({ ...output, tables: [table] })),
  }
  return config as Partial<PipelineConfig>
}

/** The output and the table of a sink, whose keys differ. */
function divide(table: string, sink: TableSink): [output: { readonly path?: string | undefined }, entry: TableEntry] {
  if (typeof sink !== 'object' || sink === null)
    throw misuse(`tables, ${table}`, "a sink such as csv('products.csv')", sink)
  const { builtin, each, columns, exclude, where, ...output } = sink
  return [output as { readonly path?: string | undefined }, { builtin, each, columns, exclude, where }]
}
