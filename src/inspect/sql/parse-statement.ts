import { CatalogueError } from '../../errors.ts'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { quoteText } from '../../loads/files/sql-text.ts'
import { tryJson } from '../../manifest/try-json.ts'

/** One statement that only reads. */
export interface ReadingStatement {
  /** SQL that can be put between parentheses. */
  readonly sql: string
  /** Names after FROM and JOIN, in small letters; also those of its own WITH. */
  readonly names: ReadonlySet<string>
}

/** Lets DuckDB's parser read a statement, without running it. Throws USAGE if it is not one statement that only reads. */
export async function parseStatement(text: string, duckdb: Duckdb): Promise<ReadingStatement> {
  const [[serialized] = []] = await duckdb.readAll(`SELECT json_serialize_sql(${quoteText(text)})`)
  const parsed = tryJson(Buffer.from(String(serialized))) as Parsed
  if (parsed.error) throw notReading(text, parsed)
  if (parsed.statements.length !== 1)
    throw new CatalogueError('USAGE', `sql: expected one statement, got ${parsed.statements.length || 'none'}`, {
      fix: 'Ask one thing at a time; a statement begins with SELECT, FROM, WITH, DESCRIBE or SUMMARIZE.',
    })
  const trimmed = text.trim().replace(/[;\s]+$/, '')
  // DuckDB's own wording of it has no comments and no semicolon.
  const sql = trimmed.includes(';') ? await reword(String(serialized), duckdb) : trimmed
  return { sql, names: new Set(listNames(parsed.statements)) }
}

type Parsed =
  | { readonly error: true; readonly error_type: string; readonly error_message: string; readonly position?: string }
  | { readonly error: false; readonly statements: readonly unknown[] }

async function reword(serialized: string, duckdb: Duckdb): Promise<string> {
  const [[sql] = []] = await duckdb.readAll(`SELECT json_deserialize_sql(${quoteText(serialized)}::JSON)`)
  return String(sql)
}

function notReading(text: string, { error_type: type, error_message: said }: Extract<Parsed, { error: true }>) {
  const [word = ''] = /^[a-z]+/i.exec(text.trim()) ?? []
  if (type === 'parser') {
    const message = `sql: expected SQL as DuckDB writes it, got: ${said}`
    return new CatalogueError('USAGE', message, {
      fix: 'A statement begins with SELECT, FROM, WITH, DESCRIBE or SUMMARIZE.',
    })
  }
  const isPivot = word.toLowerCase() === 'pivot'
  const isSeveral = /^(?:select|from|with|values|describe|summarize|show)$/i.test(word) && text.includes(';')
  const got = isSeveral ? 'several, one of which does more' : word.toUpperCase() || 'another'
  const message = `sql: expected one statement that only reads, got ${got}`
  return new CatalogueError('USAGE', message, {
    title: 'Only reading is allowed',
    fix: isPivot
      ? "List the values: `PIVOT products ON status IN ('active', 'inactive') USING count(*)`."
      : 'Published tables are never changed here. Begin with SELECT, FROM, WITH, DESCRIBE or SUMMARIZE; `--to FILE` writes the result.',
  })
}

/** Names of tables anywhere in the parsed statement. */
function listNames(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap(listNames)
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'table_name' && typeof value === 'string') return [value.replaceAll('"', '').toLowerCase()]
    return listNames(value)
  })
}
