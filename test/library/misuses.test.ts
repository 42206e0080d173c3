import { readdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Stream } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as index from '../../src/index.ts'
import * as sandbox from '../../src/sandbox.ts'
import * as streams from '../../src/streams.ts'
import * as users from '../../src/users.ts'
import { ways } from './ways-in.ts'

type Call = (...given: unknown[]) => unknown

const exported = { ...index, ...streams, ...users, ...sandbox } as unknown as Record<string, unknown>

const records = (source: unknown = 'export.ndjson') => index.catalogue('v4/product').from(source as string)
const rows = () => records().rows('products') as unknown as Record<string, Call>

/** The functions as a caller without types sees them, and methods by their names. */
const functions: Readonly<Record<string, Call>> = {
  ...(exported as Record<string, Call>),
  from: async (source) => records(source).rows('products').toArray(),
  where: (conditions) =>
    records()
      .where(conditions as object)
      .rows('products'),
  rows: (table, options) => records().rows(table as 'products', options as object),
  tables: (sinks) => records().tables(sinks as object),
  batches: (size) => rows()['batches']?.(size),
  map: (change) => rows()['map']?.(change),
  filter: (check) => rows()['filter']?.(check),
  forEach: (take) => rows()['forEach']?.(take),
  advance: (days) => started.advance(days as number),
  productsOn: (day) => started.productsOn(day as number),
  CatalogueError: (code) => new index.CatalogueError(code as 'USAGE', 'wrong'),
  'JsonCell.of': (value) => streams.JsonCell.of(value),
  JsonCell: (text) => new streams.JsonCell(text as string),
}
const contract = streams.contracts['v4/product']
const config = {
  name: 'products',
  source: { files: 'export.ndjson', contract: 'v4/product' },
  outputs: [{ format: 'csv' }],
}
const access = { baseUrl: 'https://service.example.com', keyId: 'id', keySecret: 'a secret of the test' }
const service = { ...access, endpoint: 'v4/products/stream' }
const table = { contract, table: 'products' }
const noContract = "expected contract to be the name of one, such as 'v4/product', or a contract, got"
const noOptions = 'expected an object of options, got'

const read = Readable.from(['{}']).destroy()
const circular: unknown[] = []
circular.push(circular)
const locked = new ReadableStream()
locked.getReader()
async function* numbers() {
  yield 1
}

type Misuse = readonly [name: string, given: readonly unknown[], told: string]

const misuses: readonly Misuse[] = [
  ['runPipeline', [config, null], `${noOptions} null`],
  ['runPipeline', [config, 5], `${noOptions} number 5`],
  ['runPipeline', [config, [1]], `${noOptions} a list of 1`],
  ['runPipeline', [config, { limit: Number.NaN }], 'limit to be a whole number of at least 1, got number NaN'],
  ['runPipeline', [config, { limit: Number.POSITIVE_INFINITY }], 'limit to be a whole number of at least 1'],
  ['runPipeline', [config, { limit: 1.5 }], 'limit to be a whole number of at least 1, got number 1.5'],
  ['runPipeline', [config, { limit: -1 }], 'limit to be a whole number of at least 1, got number -1'],
  ['runPipeline', [config, { limit: 0 }], 'limit to be a whole number of at least 1, got number 0'],
  ['runPipeline', [config, { limit: '10' }], 'limit to be a whole number of at least 1, got text "10"'],
  ['runPipeline', [config, { limit: null }], 'limit to be a whole number of at least 1, got null'],
  ['runPipeline', [config, { workers: Number.NaN }], 'workers to be a whole number from 0 to 64, got number NaN'],
  ['runPipeline', [config, { workers: 65 }], 'workers to be a whole number from 0 to 64, got number 65'],
  ['runPipeline', [config, { workers: '2' }], 'workers to be a whole number from 0 to 64, got text "2"'],
  ['runPipeline', [config, { wait: Number.NaN }], 'wait to be true or false, or a number of at least 0'],
  ['runPipeline', [config, { wait: -1 }], 'wait to be true or false, or a number of at least 0, got number -1'],
  ['runPipeline', [config, { wait: '5s' }], 'wait to be true or false, or a number of at least 0, got text "5s"'],
  ['runPipeline', [config, { signal: 'stop' }], 'signal to be an AbortSignal, got text "stop"'],
  ['runPipeline', [config, { signal: new AbortController() }], 'signal to be an AbortSignal, got an object'],
  ['runPipeline', [config, { onProgress: true }], 'onProgress to be a function, got true'],
  ['runPipeline', [config, { onWarning: 'log' }], 'onWarning to be a function, got text "log"'],
  ['runPipeline', [config, { onSource: {} }], 'onSource to be a function, got an object'],
  ['runPipeline', [config, { onProgres: () => 1 }], 'did you mean "onProgress"?'],
  ['runPipeline', [config, { outdir: 'x' }], 'did you mean "outDir"?'],
  ['runPipeline', [config, { outDir: 5 }], 'outDir to be a text, got number 5'],
  ['runPipeline', [config, { now: 5 }], 'now to be a function, got number 5'],
  ['runPipeline', [config, { run: '' }], 'run to be a name of letters, digits, _ and -, got text ""'],
  ['runPipeline', [config, { prune: 'yes' }], 'prune to be true or false, got text "yes"'],
  ['runPipeline', [config, { fullRefresh: 1 }], 'fullRefresh to be true or false, got number 1'],
  ['runPipeline', [config, { env: 'HOME' }], 'env to be an object, got text "HOME"'],
  ['runPipeline', [config, { stdin: 'text' }], 'stdin to be a readable stream, got text "text"'],
  ['runPipeline', [config, { fixed: 5 }], 'fixed to be a text, or a list, each a text, got number 5'],
  ['runPipeline', [undefined], 'config'],
  ['runPipeline', [{ ...config, source: { ...config.source, contract: 'v4/prodct' } }], 'did you mean "v4/product"?'],
  ['runPipeline', [{ ...config, tables: { products: { columns: ['nmae'] } } }], 'did you mean "name"?'],
  ['runPipeline', [{ ...config, locales: ['nederlands'] }], 'locales'],
  ['fetchPipeline', [config], `${noOptions} nothing`],
  ['fetchPipeline', [config, { to: 5 }], 'to to be a text, got number 5'],
  ['fetchPipeline', [config, { to: 'a.ndjson', onProgress: 1 }], 'onProgress to be a function, got number 1'],
  ['fetchPipeline', [config, { to: 'a.ndjson', onprogress: 1 }], 'did you mean "onProgress"?'],
  ['fetchPipeline', [config, { to: 'a.ndjson', signal: 1 }], 'signal to be an AbortSignal, got number 1'],
  ['fetchPipeline', [config, { to: 'a.ndjson' }], 'expected a source with an endpoint'],
  ['readService', [], 'expected an object of options'],
  ['readService', [{ ...service, endpoint: 'v4/products/strem' }], 'did you mean "v4/products/stream"?'],
  ['readService', [{ ...service, filter: { statuss: ['active'] } }], 'filter.statuss'],
  ['readService', [{ ...service, retrys: 1 }], 'retrys'],
  ['readService', [{ ...service, retries: Number.NaN }], 'retries'],
  ['readService', [{ ...service, completeness: 'maybe' }], 'completeness'],
  ['extendContract', ['v4/product', { x: 'txt' }], 'expected one of text'],
  ['extendContract', ['v4/prodct', {}], 'did you mean "v4/product"?'],
  ['extendContract', ['v4/product'], 'extra to be an object, got nothing'],
  ['toContractJsonSchema', [], `${noContract} nothing`],
  ['toContractJsonSchema', [{ name: 'v4/product' }], `${noContract} an object`],
  ['catalogue', ['v4/prodct'], 'did you mean "v4/product"?'],
  ['catalogue', [null], `${noContract} null`],
  ['catalogue', [{ ...contract }], 'one of this package, or one that extendContract gave'],
  ['from', [5], 'from: expected a path, a stream of bytes or service({ … }), got number 5'],
  ['from', ['-'], 'expected process.stdin for standard input'],
  ['from', [[]], 'files'],
  ['from', [read], 'expected a stream that is still to be read, got one that was read or closed'],
  ['from', [[5].values()], 'expected a path, a stream of bytes'],
  ['from', [locked], 'expected a stream that is still to be read, got one that was read or closed'],
  ['from', [numbers()], 'expected a stream of bytes or text, got number 1'],
  ['where', [null], `${noOptions} null`],
  ['where', [{ statsu: 'active' }], 'did you mean "status"?'],
  ['rows', [], 'table to be a text that is not empty, got nothing'],
  ['rows', ['prodcts'], 'did you mean "products"?'],
  ['tables', [{}], 'expected a sink for each table, such as'],
  ['tables', [null], 'expected a sink for each table, such as'],
  ['tables', [{ products: 'products.csv' }], 'tables, products: expected a sink'],
  ['csv', [], 'path to be a text that is not empty, got nothing'],
  ['parquet', [5], 'path to be a text that is not empty, got number 5'],
  ['ndjson', [''], 'path to be a text that is not empty, got text ""'],
  ['batches', [Number.NaN], 'size to be a whole number of at least 1, got number NaN'],
  ['batches', [0], 'size to be a whole number of at least 1, got number 0'],
  ['map', [], 'change to be a function, got nothing'],
  ['filter', ['active'], 'test to be a function, got text "active"'],
  ['forEach', [null], 'take to be a function, got null'],
  ['advance', [Number.NaN], 'days to be a whole number from 0 to 36525, got number NaN'],
  ['advance', [Number.POSITIVE_INFINITY], 'days to be a whole number from 0 to 36525'],
  ['productsOn', [1], 'day to be a whole number from 0 to 0, got number 1'],
  ['productsOn', ['0'], 'day to be a whole number from 0 to 0, got text "0"'],
  ['CatalogueError', ['USAG'], 'did you mean "USAGE"?'],
  ['JsonCell.of', [], 'expected a value that JSON can hold, got nothing'],
  ['JsonCell.of', [circular], 'expected a value that JSON can hold, got a list of 1'],
  ['JsonCell', [5], 'expected a value as JSON text, got number 5'],
  ['startSandbox', [{ products: Number.NaN }], 'products to be a whole number of at least 0, got number NaN'],
  ['startSandbox', [{ products: -1 }], 'products to be a whole number of at least 0, got number -1'],
  ['startSandbox', [{ products: '5' }], 'products to be a whole number of at least 0, got text "5"'],
  ['startSandbox', [{ product: 5 }], 'did you mean "products"?'],
  ['startSandbox', [{ port: 70_000 }], 'port to be a whole number from 0 to 65535, got number 70000'],
  ['startSandbox', [{ dialect: 'lose' }], 'dialect to be one of documented, loose, got text "lose"'],
  ['startSandbox', [{ rateLimit: true }], 'rateLimit to be a whole number of at least 1, or false, got true'],
  ['startSandbox', [{ days: 1.5 }], 'days to be a whole number from 0 to 36525, got number 1.5'],
  ['startSandbox', [{ now: Date.now() }], 'now to be a function, got number'],
  ['startSandbox', [null], `${noOptions} null`],
  [
    'createUsers',
    [{ file: 'users.csv', service: { ...access, baseUrl: 'no address' } }],
    'baseUrl: expected an address such as',
  ],
  [
    'createUsers',
    [{ file: 'users.csv', service: { ...access, keySecret: 123 } }],
    'createUsers, service: expected keySecret to be a text, got a number that is not shown',
  ],
  ['splitLines', [{ maxLineBytes: Number.NaN }], 'maxLineBytes to be a whole number of at least 1, got number NaN'],
  ['splitLines', [{ maxLineBytes: '1' }], 'maxLineBytes to be a whole number of at least 1, got text "1"'],
  ['splitLines', [{ maxLineByte: 1 }], 'did you mean "maxLineBytes"?'],
  ['splitLines', [null], `${noOptions} null`],
  ['parseRecords', [{ exactNumbers: 'yes' }], 'exactNumbers to be true or false, got text "yes"'],
  ['parseRecords', [{ exactNumber: true }], 'did you mean "exactNumbers"?'],
  ['trackCompleteness', [{ onEnd: 1 }], 'onEnd to be a function, got number 1'],
  ['trackCompleteness', [{ completeness: 'ignore' }], 'completeness to be one of require, report, got text "ignore"'],
  ['trackCompleteness', [{ onend: () => 1 }], 'did you mean "onEnd"?'],
  ['validateRecords', [], `${noContract} nothing`],
  ['validateRecords', [5], `${noContract} number 5`],
  ['validateRecords', ['v4/prodct'], 'did you mean "v4/product"?'],
  ['validateRecords', [{ ...contract, name: 5 }], 'contract.name to be a text, got number 5'],
  ['validateRecords', [{ ...contract, schema: {} }], 'contract.schema to be a Standard Schema'],
  ['validateRecords', [contract, null], `${noOptions} null`],
  ['validateRecords', [contract, { onDrift: 'report' }], 'onDrift to be a function, got text "report"'],
  ['validateRecords', [contract, { onRejct: () => 1 }], 'did you mean "onReject"?'],
  ['validateRecords', [contract, { unknownFields: 'warn' }], 'unknownFields to be one of report, ignore, reject'],
  ['validateRecords', [contract, { unknownValues: 'ignore' }], 'unknownValues to be one of report, reject'],
  ['validateRecords', [contract, { invalidValues: 'nul' }], 'invalidValues to be one of reject, null'],
  [
    'validateRecords',
    [contract, { locales: 'nl' }],
    'locales to be a list, each the code of a locale such as nl or en_AU, got text "nl"',
  ],
  ['flattenRecords', [], 'expected an object of options, got nothing'],
  ['flattenRecords', [{ contract }], 'expected table to be a text that is not empty, got nothing'],
  ['flattenRecords', [{ ...table, columns: ['nmae'] }], 'did you mean "name"?'],
  ['flattenRecords', [{ ...table, locale: ['nl'] }], 'unknown option "locale"'],
  ['columnsOf', [{ ...table, table: 'product_photo' }], 'did you mean "product_photos"?'],
  ['columnsOf', [{ ...table, locales: ['nederlands'] }], 'locales'],
  ['columnsOf', [{ ...table, timezone: 'Brussels' }], 'timezone'],
  ['readRows', [{ ...table, onReject: true }], 'onReject to be a function, got true'],
  ['readRows', [{ ...table, table: 'productphotos' }], 'unknown table "productphotos"'],
  ['readRows', [{ ...table, exclude: ['nmae'] }], 'nmae'],
  ['toCsv', [{ delimiter: 5 }], 'delimiter'],
  ['toCsv', [{ delimeter: ';' }], 'did you mean "delimiter"?'],
  [
    'toCsv',
    [{ columns: 'id' }],
    'columns to be a list, each a name, or a column with its type, as columnsOf gives it, got text "id"',
  ],
  ['toParquet', [{}], 'columns to be a list, each a column with its type, as columnsOf gives it, got nothing'],
  ['toParquet', [{ columns: [], rowGroupRows: Number.NaN }], 'rowGroupRows'],
  ['toParquet', [{ columns: [], compression: 'zip' }], 'compression'],
]

/** Functions that nothing can be wrong with, and why. */
const harmless = {
  definePipeline: 'returns what it gets',
  isContractName: 'is false for anything else',
  isEndpointName: 'is false for anything else',
  fromRecords: 'takes nothing',
  ServiceLines: 'is made by readService',
  InvalidUserRows: 'is made by createUsers',
  report: 'takes nothing',
  toArray: 'takes nothing',
  toWeb: 'takes nothing',
  now: 'takes nothing',
  close: 'takes nothing',
}

/** The methods of an object or of its class. */
function listMethods(of: object): string[] {
  const own = Object.entries(Object.getOwnPropertyDescriptors(of))
  const inherited = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(of)))
  const all = Object.getPrototypeOf(of) === Object.prototype ? own : [...own, ...inherited]
  return all.flatMap(([name, { value }]) => (typeof value === 'function' && name !== 'constructor' ? [name] : []))
}

let folder: string
let before: string
let started: sandbox.Sandbox

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'misuses-'))
  before = process.cwd()
  process.chdir(folder)
  await writeFile('export.ndjson', '{"id":"M1"}\n')
  started = await sandbox.startSandbox({ products: 1 })
})
afterAll(async () => {
  process.chdir(before)
  await started.close()
  await rm(folder, { recursive: true })
})

describe('misuses of the library', () => {
  // Contracts make long titles.
  const titled = misuses.map(([name, given, told]) => [name, told, given] as const)
  test.each(titled)('%s throws a CatalogueError: %s', async (name, told, given) => {
    const call = async () => {
      const result = await functions[name]?.(...given)
      if (result instanceof Stream) (result as Stream & { destroy: () => void }).destroy()
    }
    const error: unknown = await call().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'CatalogueError', exitCode: 2, message: expect.stringContaining(told) })
    expect(await readdir('.')).toEqual(['export.ndjson'])
  })

  test('a run from standard input that another run has read fails, and publishes nothing', async () => {
    const stdin = Readable.from([Buffer.from('{"id":"M1"}\n')])
    await stdin.toArray()
    const ofStdin = index.definePipeline({ ...config, source: { files: '-', contract: 'v4/product' } } as never)
    const run = index.runPipeline(ofStdin, { stdin })
    await expect(run).rejects.toMatchObject({
      code: 'SOURCE_FAILED',
      message: expect.stringContaining('still to be read'),
    })
    expect(await readdir('out', { recursive: true })).toEqual(['products', 'products/_runs.ndjson'])
    await rm('out', { recursive: true })
  })

  test('every exported function and every method is misused here or among the options', () => {
    const methods = [index.catalogue('v4/product'), records(), rows(), started].flatMap(listMethods)
    const names = Object.keys(exported).filter((name) => typeof exported[name] === 'function')
    const misused = new Set([...misuses.map(([name]) => name), ...Object.keys(ways), ...Object.keys(harmless)])
    expect([...names, ...methods].filter((name) => !misused.has(name))).toEqual([])
  })
})
