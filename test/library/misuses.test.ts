import { readdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stream } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as index from '../../src/index.ts'
import * as sandbox from '../../src/sandbox.ts'
import * as streams from '../../src/streams.ts'
import * as users from '../../src/users.ts'

/** The functions as a caller without types sees them. */
const functions = { ...index, ...streams, ...users, ...sandbox } as unknown as Record<
  string,
  (...options: unknown[]) => unknown
>
const contract = streams.contracts['v4/product']
const config = {
  name: 'products',
  source: { files: 'export.ndjson', contract: 'v4/product' },
  outputs: [{ format: 'csv' }],
}
const access = { baseUrl: 'https://service.example.com', keyId: 'id', keySecret: 'a secret of the test' }
const service = { ...access, endpoint: 'v4/products/stream' }
const table = { contract, table: 'products' }
const noOptions = 'expected an object of options, got'

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
  ['runPipeline', [config, { run: '' }], 'run to be a text that is not empty, got text ""'],
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
  ['startSandbox', [{ products: Number.NaN }], 'products to be a whole number of at least 0, got number NaN'],
  ['startSandbox', [{ products: -1 }], 'products to be a whole number of at least 0, got number -1'],
  ['startSandbox', [{ products: '5' }], 'products to be a whole number of at least 0, got text "5"'],
  ['startSandbox', [{ product: 5 }], 'did you mean "products"?'],
  ['startSandbox', [{ port: 70_000 }], 'port to be a whole number from 0 to 65535, got number 70000'],
  ['startSandbox', [{ dialect: 'lose' }], 'dialect to be one of documented, loose, got text "lose"'],
  ['startSandbox', [{ rateLimit: true }], 'rateLimit to be a whole number of at least 1, or false, got true'],
  ['startSandbox', [{ days: 1.5 }], 'days to be a whole number of at least 0, got number 1.5'],
  ['startSandbox', [{ now: Date.now() }], 'now to be a function, got number'],
  ['startSandbox', [null], `${noOptions} null`],
  ['splitLines', [{ maxLineBytes: Number.NaN }], 'maxLineBytes to be a whole number of at least 1, got number NaN'],
  ['splitLines', [{ maxLineBytes: '1' }], 'maxLineBytes to be a whole number of at least 1, got text "1"'],
  ['splitLines', [{ maxLineByte: 1 }], 'did you mean "maxLineBytes"?'],
  ['splitLines', [null], `${noOptions} null`],
  ['parseRecords', [{ exactNumbers: 'yes' }], 'exactNumbers to be true or false, got text "yes"'],
  ['parseRecords', [{ exactNumber: true }], 'did you mean "exactNumbers"?'],
  ['trackCompleteness', [{ onEnd: 1 }], 'onEnd to be a function, got number 1'],
  ['trackCompleteness', [{ completeness: 'ignore' }], 'completeness to be one of require, report, got text "ignore"'],
  ['trackCompleteness', [{ onend: () => 1 }], 'did you mean "onEnd"?'],
  ['validateRecords', [], "expected a contract such as contracts['v4/product'], got nothing"],
  ['validateRecords', ['v4/product'], "expected a contract such as contracts['v4/product'], got text"],
  ['validateRecords', [{ ...contract, schema: {} }], 'contract.schema to be a Standard Schema'],
  ['validateRecords', [contract, null], `${noOptions} null`],
  ['validateRecords', [contract, { onDrift: 'report' }], 'onDrift to be a function, got text "report"'],
  ['validateRecords', [contract, { onRejct: () => 1 }], 'did you mean "onReject"?'],
  ['validateRecords', [contract, { unknownFields: 'warn' }], 'unknownFields to be one of report, ignore, reject'],
  ['validateRecords', [contract, { unknownValues: 'ignore' }], 'unknownValues to be one of report, reject'],
  ['validateRecords', [contract, { invalidValues: 'nul' }], 'invalidValues to be one of reject, null'],
  ['validateRecords', [contract, { locales: 'nl' }], 'locales to be a list, each a text, got text "nl"'],
  ['flattenRecords', [], 'expected an object of options, got nothing'],
  ['flattenRecords', [{ contract }], 'expected table with the name of a table'],
  ['flattenRecords', [{ ...table, columns: ['nmae'] }], 'did you mean "name"?'],
  ['flattenRecords', [{ ...table, locale: ['nl'] }], 'unknown key "locale"'],
  ['columnsOf', [{ ...table, table: 'product_photo' }], 'did you mean "product_photos"?'],
  ['columnsOf', [{ ...table, locales: ['nederlands'] }], 'locales'],
  ['columnsOf', [{ ...table, timezone: 'Brussels' }], 'timezone'],
  ['readRows', [{ ...table, onReject: true }], 'onReject to be a function, got true'],
  ['readRows', [{ ...table, table: 'productphotos' }], 'unknown table "productphotos"'],
  ['readRows', [{ ...table, exclude: ['nmae'] }], 'nmae'],
  ['toCsv', [{ delimiter: 5 }], 'delimiter'],
  ['toCsv', [{ delimeter: ';' }], 'did you mean "delimiter"?'],
  ['toCsv', [{ columns: 'id' }], 'columns to be a list of names or columns'],
  ['toParquet', [{}], 'columns with their types, as columnsOf gives them'],
  ['toParquet', [{ columns: [], rowGroupRows: Number.NaN }], 'rowGroupRows'],
  ['toParquet', [{ columns: [], compression: 'zip' }], 'compression'],
]

let folder: string
let before: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'misuses-'))
  before = process.cwd()
  process.chdir(folder)
  await writeFile('export.ndjson', '{"id":"M1"}\n')
})
afterAll(async () => {
  process.chdir(before)
  await rm(folder, { recursive: true })
})

describe('misuses of the library', () => {
  test.each(misuses)('%s of %j throws a CatalogueError: %s', async (name, given, told) => {
    const call = async () => {
      const result = await functions[name]?.(...given)
      if (result instanceof Stream) (result as Stream & { destroy: () => void }).destroy()
    }
    const error: unknown = await call().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'CatalogueError', exitCode: 2, message: expect.stringContaining(told) })
    expect(await readdir('.')).toEqual(['export.ndjson'])
  })

  test('there are at least 77 of them', () => {
    expect(misuses.length).toBeGreaterThanOrEqual(77)
  })
})
