import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KeyedTable } from '../../src/plan/loads/stateful-plan.ts'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import type { DatabaseOutputPlan } from '../../src/loads/databases/database-output.ts'
import { openDatabaseOutput } from '../../src/loads/databases/open-database.ts'
import { postgresDialect } from '../../src/loads/databases/postgres/postgres-dialect.ts'
import { formatCreateTable } from '../../src/loads/databases/sql-dialect.ts'
import { compileProcessing } from '../../src/records/process-block.ts'
import type { Row } from '../../src/records/flatten/column.ts'
import { recordColumns } from '../../src/records/record-table.ts'
import { quoteName } from '../../src/loads/files/sql-text.ts'
import { createCopyTextEncoder } from '../../src/formats/copy-text.ts'
import { createCsvEncoder, defaultCsvDialect } from '../../src/formats/csv.ts'
import { DatabaseUrl } from '../../src/config/database-url.ts'

// How fast rows get into PostgreSQL, beside `psql \copy` of the same rows as CSV. Lists are left out, which CSV can't
// give to \copy as lists. Arguments: an NDJSON file of v4 products; times to repeat. DATABASE_URL names a database
// for this alone.
const [file = '', repeats = '3'] = process.argv.slice(2)
const databaseUrl = new DatabaseUrl(process.env.DATABASE_URL ?? '')
const { tables, rows } = await readRows(file)
const folder = await mkdtemp(join(tmpdir(), 'bench-'))
const csv: string[] = []
let csvBytes = 0
for (const [at, { name, columns }] of tables.entries()) {
  const bytes = createCsvEncoder(columns, defaultCsvDialect)(rows[at] ?? [])
  csvBytes += bytes.length
  csv.push(join(folder, `${name}.csv`))
  await writeFile(csv[at] as string, bytes)
}
console.error(`${rows[0]?.length} records, ${rows.flat().length} rows, ${(csvBytes / 1e6).toFixed(0)} MB of CSV`)
try {
  for (let at = 0; at < Number(repeats); at++) {
    const schemas = `psql_${at}, ours_${at}, history_${at}`
    runPsql(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS ${schemas} CASCADE`)
    const psql = await measurePsql(`psql_${at}`)
    const first = await measureLoad(`ours_${at}`, 'run-1')
    const again = await measureLoad(`ours_${at}`, 'run-2')
    const history = await measureLoad(`history_${at}`, 'run-1', 'history')
    const share = ((psql / first.seconds) * 100).toFixed(0)
    const shareHistory = ((psql / history.seconds) * 100).toFixed(0)
    console.error(
      `psql ${psql.toFixed(2)} s, first load ${first.seconds.toFixed(2)} s (${share} % of the speed; with encoding ${(first.seconds + first.encoding).toFixed(2)} s), the same again ${again.seconds.toFixed(2)} s, history ${history.seconds.toFixed(2)} s (${shareHistory} %)`,
    )
  }
} finally {
  await rm(folder, { recursive: true })
}

async function readRows(path: string): Promise<{ tables: KeyedTable[]; rows: Row[][] }> {
  const plan = planPipeline({ name: 'bench', source: { files: path, contract: 'v4/product' } }, { env: {} })
  const kept = plan.records.tables.map((table) => ({ ...table, columns: table.columns.filter(({ list }) => !list) }))
  const process = compileProcessing({ ...plan.records, tables: kept })
  const read: Row[][] = kept.map(() => [])
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer])
    const end = bytes.lastIndexOf(10) + 1
    rest = bytes.subarray(end)
    const found = process({ bytes: bytes.subarray(0, end), byteOffset: 0, droppedBytes: 0, unterminated: false }).rows
    for (const [at, each] of found.entries()) for (const row of each) read[at]?.push(row)
  }
  const keyed = kept.map(({ name, columns }) => ({
    name,
    columns: columns.map(({ name: column, type, list }) => ({ name: column, type, list })),
    idColumn: columns[0]?.name ?? '',
    positionColumns: columns.filter(({ source }) => source.kind === 'position').map((column) => column.name),
  }))
  return { tables: keyed, rows: read }
}

function runPsql(sql: string): void {
  const args = ['-q', '-v', 'ON_ERROR_STOP=1', databaseUrl.text, '-f', '-']
  execFileSync('psql', args, { input: sql })
}

function measurePsql(schema: string): Promise<number> {
  runPsql(
    [
      `CREATE SCHEMA ${schema}`,
      ...tables.map(({ name, columns }) => formatCreateTable(`${schema}.${quoteName(name)}`, columns, postgresDialect)),
    ].join(';\n'),
  )
  const copies = tables.map(({ name }, at) => `\\copy ${schema}.${quoteName(name)} FROM '${csv[at]}' WITH (FORMAT csv)`)
  const start = performance.now()
  runPsql(['BEGIN;', ...copies, 'COMMIT;'].join('\n'))
  return Promise.resolve((performance.now() - start) / 1000)
}

async function measureLoad(schema: string, runId: string, mode: DatabaseOutputPlan['mode'] = 'merge') {
  const plan: DatabaseOutputPlan = {
    target: { format: 'postgres', url: databaseUrl, schema },
    pipeline: 'bench',
    mode,
    removed: 'drop',
    tables,
  }
  const all = [...tables.map(({ columns }) => columns), recordColumns]
  const records = (rows[0] ?? []).map((row, at): Row => [
    row[0] ?? null,
    String(at).padStart(32, '0'),
    null,
    null,
    null,
  ])
  const beforeEncoding = performance.now()
  const pieces = [...rows, records].map((each, at) => {
    const encode = createCopyTextEncoder(all[at] ?? [], 'table')
    return Array.from({ length: Math.ceil(each.length / 100) }, (_, part) =>
      encode(each.slice(part * 100, part * 100 + 100)),
    )
  })
  const start = performance.now()
  const moment = new Date('2026-01-01T00:00:00Z')
  const load = {
    kind: 'full',
    runId,
    startedAt: moment,
    since: null,
    syncedUntil: moment,
    configHash: 'a',
    maxRemoved: { kind: 'count', count: 0 },
  } as const
  const output = await openDatabaseOutput(plan, load)
  const most = Math.max(...pieces.map(({ length }) => length))
  // Pieces of the tables take turns, as they do when blocks come.
  for (let part = 0; part < most; part++) {
    for (const [at, each] of pieces.entries()) {
      const piece = each[part]
      if (piece !== undefined) await output.write(at, piece)
    }
  }
  await output.finish(load)
  await output.commit()
  await output.discard()
  return { seconds: (performance.now() - start) / 1000, encoding: (start - beforeEncoding) / 1000 }
}
