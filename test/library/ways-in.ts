import * as index from '../../src/index.ts'
import type { ReadOptions, RowsOptions, SinkOptions, TablesOptions } from '../../src/index.ts'
import * as sandboxEntry from '../../src/sandbox.ts'
import * as streams from '../../src/streams.ts'
import * as usersEntry from '../../src/users.ts'

/* Every option of every function of docs/public-api.md, with wrong values; a new option does not compile without. */

const notText = [5, null, {}, ['a']]
const notFilled = [...notText, '']
const notFlag = ['yes', 1, null, {}]
const notFunction = [5, 'print', null, {}]
const notSignal = [5, 'stop', null, {}]
const notObject = [5, 'HOME', null, [1]]
const notTexts = ['nl', 5, null, {}, [5], [null]]
const notChoice = ['no such choice', 5, null, {}]
const notWhole = [Number.NaN, Number.POSITIVE_INFINITY, -1, 1.5, '5', null]
const notCount = [...notWhole, 0]
/** A config takes text with digits, too, as a variable of the environment is. */
const notConfigCount = [Number.NaN, -1, 1.5, 'two', null]

type Wrong<Options> = { readonly [Name in keyof Required<Options>]: readonly unknown[] }

/** A function with options that are right, and wrong values of each. */
interface Way {
  readonly call: (options: unknown) => unknown
  readonly right: object
  readonly wrong: Readonly<Record<string, readonly unknown[]>>
}

function way<Options extends object>(call: (options: Options) => unknown, right: Options, wrong: Wrong<Options>): Way {
  return { call: call as Way['call'], right, wrong }
}

/** The one file of the folder in which the functions are called. */
export const file = 'export.ndjson'
const config = {
  name: 'products',
  source: { files: file, contract: 'v4/product' },
  outputs: [{ format: 'csv' as const }],
}
const access = { baseUrl: 'https://service.example.com', keyId: 'id', keySecret: 'a secret of the test' }
const source = { ...access, endpoint: 'v4/products/stream' } as const
const table = { contract: 'v4/product', table: 'products' } as const

const read = () => index.catalogue('v4/product').from(file)
const rows = () => read().rows('products')

const entry = { columns: [5, 'id', null, ['nmae']], exclude: [5, null, ['nmae']], where: [5, null, { nmae: 1 }] }
const tableEntry = { ...entry, each: [5, null, 'no.such.list[]'], builtin: notChoice }
const oneTable = {
  ...tableEntry,
  contract: ['v4/prodct', 5, null, {}],
  table: [...notFilled, 'prodcts'],
  locales: [...notTexts, ['nederlands']],
  timezone: ['Brussels', 5, null],
  interface: notChoice,
}
const policy = { unknownFields: notChoice, unknownValues: notChoice, invalidValues: ['nul', 5] }
const dialect = {
  delimiter: notText,
  quote: [5, null],
  quoteAll: notFlag,
  bom: notFlag,
  lineBreak: notChoice,
  escapeFormulas: notFlag,
  header: notFlag,
  listSeparator: [5, null],
  decimalSeparator: notChoice,
}
const fileOutput = {
  ...tableEntry,
  mode: notChoice,
  removed: notChoice,
  touched: notFlag,
  partitionBy: [5, ['nmae']],
  rowsPerFile: notConfigCount,
  bytesPerFile: ['5 apples', null],
}
const columns = [5, 'id', null, [5], [null], [{ name: 'id' }], [{ name: 'id', type: { kind: 'txt' }, list: false }]]
const sourceKeys = {
  endpoint: ['v4/products/strem', 5, null],
  baseUrl: ['not an address', 5, null],
  keyId: [5, null, ''],
  keySecret: [5, null, ''],
  userAgent: [5, null],
  requestsPerMinute: notConfigCount,
  timeouts: [5, { idel: 1 }],
  retries: [Number.NaN, -1, 'two', null],
  filter: [5, null, { statuss: 1 }],
  sorting: [5, null, { idd: 'ASC' }],
  page: [5, { no: -1 }],
  partition: [5, { by: 'id' }],
  sourceIds: [5, null, {}],
  interface: notChoice,
  maxLineBytes: notConfigCount,
}
const userFile = {
  file: notFilled,
  format: notChoice,
  results: notFilled,
  stdin: [5, 'text', null, {}],
  signal: notSignal,
}

/** The sandbox whose methods are called. */
export const started: { sandbox?: sandboxEntry.Sandbox } = {}

export const ways: Readonly<Record<string, Way>> = {
  runPipeline: way<index.RunOptions>(
    (options) => index.runPipeline(config, options),
    {},
    {
      signal: notSignal,
      env: notObject,
      now: notFunction,
      onWarning: notFunction,
      limit: notCount,
      outDir: notText,
      workers: [...notWhole, 65],
      stdin: [5, 'text', null, {}],
      fullRefresh: notFlag,
      prune: notFlag,
      window: [5, null, {}, { since: 'yesterday', until: 'now' }],
      fixed: [5, null, {}, [5]],
      notes: notTexts,
      run: [...notFilled, '../other'],
      wait: [Number.NaN, -1, '5s', null],
      onSource: notFunction,
      onProgress: notFunction,
    },
  ),
  fetchPipeline: way<index.FetchOptions>(
    (options) => index.fetchPipeline({ ...config, source }, options),
    { to: 'landed.ndjson' },
    {
      to: [undefined, ...notFilled],
      madeFrom: notTexts,
      onProgress: notFunction,
      onWarning: notFunction,
      ...context(),
    },
  ),
  readChanges: way<index.ReadChangesOptions>(
    (options) => index.readChanges(config, options).next(),
    {},
    {
      after: notText,
      tables: notTexts,
      outDir: notText,
      ...context(),
    },
  ),
  checkPipeline: way<index.CheckPipelineOptions>(
    (options) => index.checkPipeline(config, options),
    {},
    {
      env: notObject,
      outDir: notText,
      needsService: notFlag,
    },
  ),
  readService: way<index.ReadServiceOptions<'v4/products/stream'>>((options) => index.readService(options), source, {
    ...sourceKeys,
    ...context(),
    onWarning: notFunction,
    onEnd: notFunction,
    completeness: notChoice,
  }),
  service: way<index.ServiceOptions<'v4/products/stream'>>(
    (options) => index.catalogue('v4/product').from(index.service(options)).rows('products'),
    source,
    sourceKeys,
  ),
  from: way<ReadOptions>(
    (options) => index.catalogue('v4/product').from(file, options).rows('products'),
    {},
    {
      ...policy,
      ...context(),
      format: notChoice,
      parts: notFlag,
      interface: notChoice,
      maxLineBytes: notConfigCount,
      completeness: notChoice,
      rejects: [5, null, { limit: 'some' }],
      timezone: ['Brussels', 5, null],
      onWarning: notFunction,
    },
  ),
  rows: way<RowsOptions>(
    (options) => read().rows('products', options as object),
    {},
    {
      ...tableEntry,
      locales: [...notTexts, ['nederlands']],
      onReject: notFunction,
    },
  ),
  tables: way<TablesOptions>(
    (options) => read().tables({ products: index.csv('out/products.csv') }, options),
    {},
    {
      name: [5, null, ''],
      check: [5, null, {}, { schema: {}, version: '1' }],
      duplicates: notChoice,
      expect: [5, 'rule', {}],
      manifest: [5, null],
      profile: [5],
      report: [5],
      runs: [5],
      dataPackage: [5],
      s3: [5, 'bucket'],
      signal: notSignal,
      workers: notWhole,
      limit: notCount,
      wait: [Number.NaN, -1, '5s', null],
      onProgress: notFunction,
      locales: [...notTexts, ['nederlands']],
    },
  ),
  csv: way<SinkOptions<'csv'>>(
    (options) => read().tables({ products: index.csv('out/a.csv', options) }),
    {},
    {
      ...fileOutput,
      ...dialect,
      labels: [5, null],
    },
  ),
  parquet: way<SinkOptions<'parquet'>>(
    (options) => read().tables({ products: index.parquet('out/a', options) }),
    {},
    {
      ...fileOutput,
      compression: notChoice,
      rowGroupRows: notConfigCount,
    },
  ),
  ndjson: way<SinkOptions<'ndjson'>>(
    (options) => read().tables({ products: index.ndjson('out/a.ndjson', options) }),
    {},
    fileOutput,
  ),
  forEach: way<index.ForEachOptions>(
    (options) => rows().forEach(() => 1, options),
    {},
    {
      concurrency: notCount,
      signal: notSignal,
    },
  ),
  splitLines: way<streams.SplitLinesOptions>(streams.splitLines, {}, { maxLineBytes: notCount }),
  parseRecords: way<streams.ParseRecordsOptions>(streams.parseRecords, {}, { exactNumbers: notFlag }),
  trackCompleteness: way<streams.TrackCompletenessOptions>(
    streams.trackCompleteness,
    {},
    {
      onEnd: notFunction,
      completeness: notChoice,
    },
  ),
  validateRecords: way<streams.ValidateRecordsOptions>(
    (options) => streams.validateRecords('v4/product', options),
    {},
    {
      ...policy,
      onReject: notFunction,
      onDrift: notFunction,
      locales: [...notTexts, ['nederlands']],
    },
  ),
  flattenRecords: way<streams.FlattenRecordsOptions>(streams.flattenRecords, table, {
    ...oneTable,
    onReject: notFunction,
  }),
  columnsOf: way<streams.ColumnsOfOptions>(streams.columnsOf, table, {
    ...oneTable,
    contract: [undefined, ...oneTable.contract],
    onReject: notFunction,
  }),
  readRows: way<streams.ReadRowsOptions>(streams.readRows, table, {
    ...oneTable,
    ...policy,
    contract: [undefined, ...oneTable.contract, { ...streams.contracts['v4/product'] }],
    maxLineBytes: notCount,
    completeness: notChoice,
    onReject: notFunction,
    onDrift: notFunction,
    onEnd: notFunction,
  }),
  toCsv: way<streams.ToCsvOptions>(streams.toCsv, {}, { ...dialect, columns }),
  toNdjson: way<streams.ToNdjsonOptions>(streams.toNdjson, {}, { columns }),
  toParquet: way<streams.ToParquetOptions>(
    streams.toParquet,
    { columns: [] },
    {
      columns: [undefined, ...columns, ['id']],
      compression: notChoice,
      rowGroupRows: notConfigCount,
      metadata: [5, null, ['a'], { key: 5 }],
    },
  ),
  startSandbox: way<sandboxEntry.SandboxOptions>(
    sandboxEntry.startSandbox,
    {},
    {
      products: notWhole,
      seed: notWhole,
      dialect: notChoice,
      port: [...notWhole, 70_000],
      keyId: notFilled,
      keySecret: notFilled,
      rateLimit: [...notCount, true],
      mayCreateUsers: notFlag,
      keptBytes: notWhole,
      warmUp: notFlag,
      images: notFlag,
      days: [...notWhole, 1e6],
      now: notFunction,
    },
  ),
  inject: way<sandboxEntry.InjectOptions>(
    (options) => started.sandbox?.inject(options),
    { fault: 'cut=1' },
    {
      endpoint: ['v4/products/strem', 5, null],
      fault: [undefined, ...notText, 'cuts=1'],
      times: [...notCount, 1e9],
      after: notWhole,
    },
  ),
  planUsers: way<Parameters<typeof usersEntry.planUsers>[0]>(
    usersEntry.planUsers,
    { file: 'users.csv', baseUrl: access.baseUrl },
    { ...userFile, file: [undefined, ...notFilled], baseUrl: [undefined, ...notText, 'no address'] },
  ),
  createUsers: way<usersEntry.CreateUsersOptions>(
    usersEntry.createUsers,
    { file: 'users.csv', service: access },
    {
      ...userFile,
      file: [undefined, ...notFilled],
      service: [undefined, 5, null, { ...access, keyId: 5 }, { baseUrl: access.baseUrl }],
      env: notObject,
      onProgress: notFunction,
      onWarning: notFunction,
    },
  ),
}

function context() {
  return { signal: notSignal, env: notObject }
}
