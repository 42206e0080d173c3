import { CatalogueError } from '../../../errors.ts'
import type { Column } from '../../../records/flatten/column.ts'
import { typeOf } from '../../../types/column-types.ts'
import { formatNames } from '../sql-dialect.ts'
import type { MariadbSession } from './mariadb-session.ts'

export interface InsertedTable {
  /** As SQL names it. */
  readonly name: string
  readonly columns: readonly Column[]
}

/** Characters of one statement: more are not faster. */
const usualLength = 512 * 1024
/** The most characters that wait, of all tables together. */
const mostWaiting = 8 * 1024 * 1024

/**
 * Writes pieces of COPY text as INSERT statements of many rows, which every server takes, unlike LOAD DATA LOCAL, and which
 * refuse values that don't fit. While one statement runs, the next is made. In `escapingMode`.
 */
export class InsertQueue {
  readonly #session: MariadbSession
  readonly #tables: readonly { readonly insert: string; readonly formats: readonly FormatCell[]; rows: string }[]
  readonly #mostLength: number
  #running: Promise<void> = Promise.resolve()
  #failure: { readonly thrown: unknown } | undefined

  constructor(session: MariadbSession, tables: readonly InsertedTable[]) {
    this.#session = session
    // A character has at most three bytes for each of its units.
    this.#mostLength = Math.min(usualLength, Math.floor(session.mostBytes / 4))
    this.#tables = tables.map(({ name, columns }) => ({
      insert: `INSERT INTO ${name} (${formatNames(columns)}) VALUES `,
      formats: columns.map(compileCell),
      rows: '',
    }))
  }

  /** Takes whole lines. Resolves when there is room for more; rejects with the first failure. */
  async write(table: number, piece: Uint8Array): Promise<void> {
    const waiting = this.#tables[table]
    if (waiting === undefined) throw new TypeError(`expected one of ${this.#tables.length} tables, got ${table}`)
    const lines = Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('utf8').split('\n')
    for (const line of lines) {
      if (line === '') continue
      const row = formatRow(line, waiting.formats)
      if ((waiting.insert.length + waiting.rows.length + row.length) * 3 > this.#session.mostBytes)
        await this.#insert(table)
      waiting.rows += waiting.rows === '' ? row : `,${row}`
      if (waiting.rows.length >= this.#mostLength) await this.#insert(table)
    }
    if (this.#tables.reduce((sum, { rows }) => sum + rows.length, 0) > mostWaiting) await this.flush()
  }

  async flush(): Promise<void> {
    for (const table of this.#tables.keys()) await this.#insert(table)
    await this.#running
    this.#throwFailure()
  }

  async #insert(table: number): Promise<void> {
    await this.#running
    this.#throwFailure()
    const waiting = this.#tables[table]
    if (waiting === undefined || waiting.rows === '') return
    const statement = waiting.insert + waiting.rows
    waiting.rows = ''
    this.#running = this.#run(statement).catch((thrown: unknown) => {
      this.#failure ??= { thrown }
    })
  }

  async #run(statement: string): Promise<void> {
    const { mostBytes, shown } = this.#session
    if (statement.length * 3 > mostBytes && Buffer.byteLength(statement) >= mostBytes)
      throw new CatalogueError(
        'TARGET_REFUSED',
        `${shown}: expected rows of less than ${mostBytes} bytes (max_allowed_packet), got one of ${Buffer.byteLength(statement)}`,
        { fix: 'Set `max_allowed_packet` of the server higher.' },
      )
    await this.#session.run(statement)
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.thrown
  }
}

type FormatCell = (cell: string) => string

function formatRow(line: string, formats: readonly FormatCell[]): string {
  let row = '('
  let start = 0
  for (let index = 0; index < formats.length; index++) {
    const tab = line.indexOf('\t', start)
    const cell = line.slice(start, tab === -1 ? line.length : tab)
    if (index > 0) row += ','
    row += cell === String.raw`\N` ? 'NULL' : (formats[index] as FormatCell)(cell)
    start = tab + 1
  }
  return `${row})`
}

/** COPY text and SQL have the same escapes, but for quotes. */
function compileCell({ type, list }: Column): FormatCell {
  if (list) return compileList(type)
  switch (type.kind) {
    case 'boolean':
      return (cell) => (cell === 'true' ? '1' : '0')
    case 'timestamp':
      return (cell) => `'${cell.slice(0, cell.length - 1).replace('T', ' ')}'`
    case 'integer':
    case 'decimal':
      return (cell) => cell
    default:
      return quoteEscaped
  }
}

function quoteEscaped(escaped: string): string {
  return `'${escaped.includes("'") ? escaped.replaceAll("'", "''") : escaped}'`
}

/** The array literal of COPY text as JSON, with elements as in NDJSON. */
function compileList(type: Column['type']): FormatCell {
  const formatElement =
    typeOf(type).form === 'text' ? (type.kind === 'json' ? asItIs : JSON.stringify) : toBareElement(type)
  return (cell) => {
    const literal = cell.includes('\\') ? unescape(cell) : cell
    const elements = [...literal.matchAll(/"((?:[^"\\]|\\.)*)"|([^,{}]+)/gs)].map(([, quoted, bare]) =>
      bare === 'NULL' ? 'null' : formatElement(quoted?.replaceAll(/\\(.)/gs, '$1') ?? bare ?? ''),
    )
    return quoteEscaped(`[${elements.join(',')}]`.replaceAll('\\', String.raw`\\`))
  }
}

function toBareElement({ kind }: Column['type']): FormatCell {
  return kind === 'integer' || kind === 'float' || kind === 'boolean' ? asItIs : (element) => `"${element}"`
}

function asItIs(element: string): string {
  return element
}

function unescape(cell: string): string {
  return cell.replaceAll(/\\(.)/gs, (_, sign: string) => signs[sign] ?? sign)
}

const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
