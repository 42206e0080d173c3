import type { RunProfile } from '../../src/kernel/profile/run-profile.ts'
import type { RejectGroup } from '../../src/sources/rejects/reject-groups.ts'
import type { PastRun } from '../../src/manifest/manifest.ts'
import type { ReportManifest } from '../../src/report/report-manifest.ts'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import { formatColumnType } from '../../src/types/column-types.ts'

/** Text that breaks pages which do not escape it, both on screen and in the file. */
export const hostile = '</script><img src=x onerror=alert(1)>"\'&\u0000\u001b[31m\u202eשלום'

/** A value that no page may show without `examples`. */
export const secret = 'SECRET-OF-A-RECORD'

const sha256 = 'ab'.repeat(32)
const runId = 'cd'.repeat(16)

/** The summary of a list of identifiers without any problem. */
export const plainIds = {
  file: 'codes.csv',
  column: null,
  field: 'cnk',
  rows: 300,
  identifiers: 300,
  repaired: 0,
  repeated: 0,
  empty: 0,
  requests: 1,
}

/** A run without any problem. */
export function createPlainRun(): ReportManifest {
  return {
    pipeline: 'plain',
    runId: runId,
    tool: { name: 'catalogue-etl', version: '0.1.0' },
    contract: { name: 'v4/product', version: 1 },
    configHash: sha256,
    inputDigest: sha256,
    startedAt: '2026-01-02T03:04:05.006Z',
    finishedAt: '2026-01-02T03:04:07.006Z',
    durationMs: 12,
    sources: [{ name: 'a.ndjson', lines: 2, bytes: 90, completeness: { status: 'proven', reasons: [], total: 2 } }],
    ledger: { lines: 2, blank: 0, rejected: 0, filtered: 0, duplicate: 0, accepted: 2, repeatedIds: 0 },
    completeness: { status: 'proven', reasons: [], total: 2 },
    drift: {
      unknownFields: {},
      unknownValues: {},
      otherLocales: {},
      oddCodes: {},
      nullElements: {},
      invalidValues: {},
      duplicateKeys: {},
    },
    tables: [{ name: 'products', rows: 2, filtered: 0 }],
    files: [],
    rejects: { path: '_rejects.ndjson', count: 0 },
    manifest: '_manifest.json',
  }
}

/** Nights of an incremental pipeline, every tenth of which failed; the last is that of the sample runs. */
export function createPastRuns(count: number): PastRun[] {
  return Array.from({ length: count }, (_, at): PastRun => {
    const startedAt = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6) - (count - 1 - at) * 86_400_000).toISOString()
    const times = { startedAt, finishedAt: startedAt, durationMs: 2000 + 100 * (at % 7) }
    const run = { run: `run${at}`, version: '0.1.0', ...times }
    if (at % 10 === 4) return { ...run, outcome: at === 4 ? hostile : 'SOURCE_FAILED', exitCode: 4 }
    const ledger = { lines: 9, blank: 0, rejected: at % 3, filtered: 0, duplicate: 0, accepted: 9, repeatedIds: 0 }
    const load = { target: hostile, new: at, changed: 2, touched: 3, removed: 1 }
    const tables = { [hostile]: { rows: 20 + at, bytes: 9 }, photos: { rows: 3, bytes: 9 } }
    const kind = at % 5 === 0 ? 'full' : 'delta'
    return { ...run, runId, kind, outcome: 'published', exitCode: 0, ledger, records: 1000 + at, tables, loads: [load] }
  })
}

/** A run with everything that a page can show, and hostile text for each name from outside. */
export function createHostileRun(): {
  readonly manifest: ReportManifest
  readonly profile: RunProfile
  readonly rejects: RejectGroup[]
} {
  const table = `table ${hostile}`
  const column = `column ${hostile}`
  const columns = [{ name: column, type: 'text', from: hostile }]
  const manifest: ReportManifest = {
    pipeline: `products ${hostile}`,
    runId,
    tool: { name: 'catalogue-etl', version: '0.1.0' },
    contract: { name: 'v4/product', version: 1 },
    configHash: sha256,
    inputDigest: sha256,
    sources: [
      {
        name: hostile,
        lines: 110,
        bytes: 123_456,
        completeness: { status: 'incomplete', reasons: ['2 records are missing, index 7, 9'], total: 112 },
        landed: {
          endpoint: hostile,
          baseUrl: 'https://api.example.com',
          fetchedAt: '2026-01-02T03:04:05.006Z',
          sha256,
        },
        notes: {
          requests: 14,
          waitedMs: 83_000,
          repeats: [`POST ${hostile}: expected an answer, got none`],
          changes: [hostile],
          skippedRecords: 3,
          refused: hostile,
          missing: [
            { key: 'cnk', asked: 500, missing: ['0497929'], inFile: [{ line: 12, written: hostile }] },
            { key: hostile, asked: 2, missing: [hostile] },
          ],
        },
      },
    ],
    sourceIds: { ...plainIds, file: hostile, identifiers: 500 },
    startedAt: '2026-01-02T03:04:05.006Z',
    finishedAt: '2026-01-02T03:04:07.006Z',
    durationMs: 2000,
    rules: [
      {
        table,
        column,
        rule: 'unique',
        severity: 'warn',
        result: 'kept',
        expected: 'each value once',
        count: 0,
        found: 'each once',
      },
      {
        table,
        column,
        rule: 'in',
        count: 12,
        severity: 'error',
        result: 'broken',
        expected: `one of ${hostile}`,
        found: '12 other values',
        examples: [secret, hostile],
      },
      {
        table,
        rule: 'rows',
        severity: 'error',
        result: 'unjudged',
        expected: 'at least 10 rows',
        count: 0,
        found: 'a part of the records',
      },
    ],
    stages: [
      { name: 'prepare', ms: 100 },
      { name: 'find duplicates', ms: 300 },
      { name: 'read and encode', ms: 1500 },
      { name: 'finish outputs', ms: 100 },
    ],
    ledger: { lines: 110, blank: 1, rejected: 4, filtered: 3, duplicate: 2, accepted: 100, repeatedIds: 2 },
    completeness: { status: 'incomplete', reasons: ['2 records are missing, index 7, 9', hostile], total: 112 },
    drift: {
      unknownFields: { [hostile]: 12 },
      unknownValues: { status: { [hostile]: 3 } },
      otherLocales: { [hostile]: 1, '': 2 },
      oddCodes: { cnk: { [secret]: 2 } },
      nullElements: { [hostile]: 4 },
      invalidValues: { weight: { [`text "${secret}"`]: 1 } },
      duplicateKeys: { [hostile]: 1 },
    },
    tables: [{ name: table, rows: 100, filtered: 5, choices: ['status'] }],
    filteredBy: [
      { table: null, by: 'where', path: 'status', condition: hostile, filtered: 3 },
      { table, by: 'where', path: hostile, condition: 'packshot', filtered: 5 },
    ],
    files: [
      { table, format: 'csv', path: `out/${hostile}.csv`, rows: 100, bytes: 2048, sha256, columns, mode: 'merge' },
    ],
    state: {
      format: 3,
      kind: 'full',
      startedAt: '2026-01-02T03:04:05.006Z',
      lastFullAt: null,
      syncedUntil: null,
      asked: null,
      changes: { new: 5, changed: 4, touched: 3, unchanged: 87, removed: 1 },
      records: null,
      tables: [],
      obsoleteFiles: [],
      stale: { records: 2, ids: [secret] },
    },
    removedRecords: [{ id: secret, status: 'deleted', replacement: null }],
    databases: [
      {
        target: `postgres://db.example.com/${hostile}`,
        mode: 'merge',
        changes: { new: 5, changed: 4, touched: 3, unchanged: 87, removed: 1 },
        tables: [{ name: table, rowsWritten: 12 }],
      },
    ],
    rejects: {
      path: hostile,
      count: 4,
      reasons: [
        { code: 'invalid_type', path: `photos[].${hostile}`, count: 3, expected: 'expected a whole number' },
        { code: 'other', path: '', count: 1, expected: 'the rarer reasons together' },
      ],
    },
    missingIds: { path: hostile, rows: 2, bytes: 10, sha256, notFound: 1, bad: 1 },
    previous: {
      runId: 'ef'.repeat(16),
      finishedAt: '2026-01-01T03:04:07.006Z',
      rejected: 1,
      tables: [
        { name: table, rows: 90 },
        { name: `gone ${hostile}`, rows: 7 },
      ],
      drift: {
        unknownFields: [],
        unknownValues: {},
        otherLocales: [],
        oddCodes: [],
        nullElements: [],
        invalidValues: [],
        duplicateKeys: [],
      },
    },
    manifest: hostile,
    notes: [hostile],
  }
  const profile: RunProfile = {
    version: 1,
    pipeline: manifest.pipeline,
    runId,
    tables: [
      {
        name: table,
        rows: 100,
        columns: [
          { name: column, type: 'text', filled: 73, min: secret, max: secret, longest: 18, ...frequent(secret) },
          { name: 'status', type: 'text', filled: 100, min: 'active', max: hostile, longest: 8, ...frequent(hostile) },
          {
            name: 'id',
            type: 'integer',
            filled: 100,
            min: 700_001,
            max: 700_999,
            histogram: { bounds: [700_001, 700_999], counts: [100] },
          },
          {
            name: 'price',
            type: 'decimal(12,2)',
            unit: 'cents',
            filled: 100,
            min: '0.05',
            max: '99.95',
            quantiles: { p05: '1.05', p25: '500.00', p50: '1234.50', p75: '2000.00', p95: '8000.00' },
            histogram: { bounds: ['0.05', '1000.00', '2000.00', '9999.95'], counts: [30, 50, 20] },
          },
          {
            name: 'updated_at',
            type: 'timestamp',
            filled: 90,
            min: '2025-01-31T10:00:00Z',
            max: '2025-05-02T10:00:00Z',
            quantiles: {
              p05: '2025-02-02T12:30:00Z',
              p25: '2025-02-28T12:30:00Z',
              p50: '2025-03-04T12:30:00Z',
              p75: '2025-04-01T12:30:00Z',
              p95: '2025-05-01T12:30:00Z',
            },
            histogram: {
              bounds: ['2025-01-31T10:00:00Z', '2025-03-01T00:00:00Z', '2025-04-01T00:00:00Z', '2025-05-02T10:00:00Z'],
              counts: [5, 80, 5],
            },
          },
          { name: 'seen', type: 'timestamp', filled: 0, min: null, max: null },
          { name: 'deleted', type: 'boolean', filled: 50, min: false, max: true, ...frequent(true) },
        ],
      },
    ],
    listLengths: [{ table, path: 'photos[]', counts: [40, 30, 20, 10] }],
    coverage: [
      {
        by: 'status',
        columns: [
          { label: 'Dutch name', from: 'name.nl' },
          { label: 'packshot', from: hostile },
        ],
        groups: [
          { value: 'active', rows: 90, filled: [90, 45] },
          { value: null, rows: 1000, filled: [0, 999] },
        ],
      },
      {
        by: 'brands[0].name',
        columns: [
          { label: hostile, from: 'name.nl' },
          { label: 'packshot', from: hostile },
        ],
        groups: [{ value: secret, rows: 60, filled: [30, 15] }],
        others: { groups: 7, rows: 400, filled: [300, 1] },
      },
    ],
    localized: [
      {
        table,
        field: hostile,
        locales: [
          { locale: 'nl', filled: 100, column: column },
          { locale: 'fr', filled: 65, column: 'name_fr' },
          { locale: hostile, filled: 0 },
        ],
        fallbacks: [{ column: 'title', locale: hostile, taken: 12 }],
      },
    ],
  }
  const example = {
    source: hostile,
    line: 12_345,
    byteOffset: null,
    id: secret,
    path: 'photos[0].displayOrder',
    message: `expected a whole number, got text "${secret}"`,
    excerpt: {
      before: `"id":1,${hostile}"displayOrder":`,
      value: `"${secret} ${hostile}"`,
      after: `,${hostile}`,
      isCut: { before: true, value: false, after: true },
    },
  }
  const [reason] = manifest.rejects.reasons ?? []
  const rejects = reason === undefined ? [] : [{ ...reason, examples: [example, example, example] }]
  return { manifest, profile, rejects }
}

function frequent(value: string | boolean) {
  return { distinct: 1, frequent: [{ value, count: 73 }] }
}

/** A run of every table of v4 products in three formats, with as many values in each column as a profile may have. */
export function createLargeRun(): { readonly manifest: ReportManifest; readonly profile: RunProfile } {
  const {
    records,
    outputs: { files },
  } = planPipeline({
    name: 'products',
    source: { files: 'products.ndjson', contract: 'v4/product' },
  })
  const { manifest } = createHostileRun()
  const values = Array.from({ length: 10 }, (_, at) => ({ value: `a frequent value, number ${at}`, count: 1000 - at }))
  const bounds = Array.from({ length: 25 }, (_, at) => at * 1000)
  const histogram = { bounds, counts: bounds.slice(1).map((at) => (at * 7919) % 10_007) }
  const tables = records.tables.map(({ name, columns }) => ({
    name,
    rows: 10_000,
    columns: columns.map((column) => ({
      name: column.name,
      type: formatColumnType(column),
      filled: 7350,
      min: 'the smallest of all values',
      max: 'the greatest of all values',
      longest: 1234,
      distinct: 10,
      frequent: values,
      ...(/^(?:integer|decimal|timestamp|date)/.test(formatColumnType(column)) && { histogram }),
    })),
  }))
  const localized = tables.map(({ name }) => ({
    table: name,
    field: 'name',
    locales: ['nl', 'fr', 'en', 'de'].map((locale) => ({ locale, filled: 5000 })),
    fallbacks: [],
  }))
  return {
    manifest: {
      ...manifest,
      pipeline: 'products',
      tables: records.tables.map(({ name }) => ({ name, rows: 10_000, filtered: 0 })),
      files: files.map(({ table, path, format }) => ({
        table: records.tables[table]?.name ?? '',
        format: format.format as 'csv',
        path,
        rows: 10_000,
        bytes: 1_234_567,
        sha256,
        columns: [],
      })),
    },
    profile: { version: 1, pipeline: 'products', runId, tables, localized, listLengths: [], coverage: [] },
  }
}
