import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { CatalogueError } from '../../../errors.ts'
import type { Catalogue } from '../../../inspect/questions/catalogue.ts'
import { savedQuestions, toQuestionSql } from '../../../inspect/questions/questions.ts'
import { readPublished, withPublished } from '../../../inspect/sql/open-published.ts'
import type { PublishedTable } from '../../../inspect/sql/published-table.ts'
import { readRows, textForms, toText } from '../../../inspect/sql/result-text.ts'
import type { SqlResult } from '../../../inspect/sql/sql-result.ts'
import { checkResultPath, writeResult } from '../../../inspect/sql/write-result.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import { escapeControls } from '../../../text/escape-controls.ts'
import { countOf, formatCount } from '../../../text/format-count.ts'
import { defineCommand, type InputOf } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, choice, flag, option } from '../../parameter.ts'
import { renderResult } from '../../render/render-result.ts'
import { configOptions, toCount } from '../../shared-options.ts'
import { colorsFor, columnsOf, log, print, writeJson, type Terminal } from '../../terminal.ts'

const sqlOptions = {
  ...configOptions,
  question: option('<name>', 'a saved question, or one of the config; `:name` in place of a statement is the same'),
  show: flag('print the SQL of the question, and run nothing'),
  file: option('<file>', 'a file with the statement, - for standard input'),
  as: choice('<form>', 'form of the result; default table, which is for people', ['table', ...textForms]),
  to: option('<file>', 'write the result to a .csv, .ndjson, .json, .md, .parquet or .xlsx file'),
  limit: option('<n>', 'at most so many rows; by default 50 in a table, all in any other form', toCount),
}

type Input = InputOf<typeof sqlOptions>

export const sqlCommand = defineCommand({
  description:
    'Asks the tables of the last run in SQL, or one of the saved questions. Without either lists both. Needs DuckDB; only reads.',
  otherNames: ['query', 'ask', 'select', 'question', 'questions', 'duckdb'],
  arguments: {
    config: argument('<config>', 'a YAML, JSON, .ts or .js file'),
    statement: argument('[statement]', 'SQL of DuckDB in quotes, or `:name` for a question'),
  },
  options: sqlOptions,
  before: `Tables have the names and types of the config. Those in Parquet, CSV and NDJSON files, in DuckDB and in lakes
can be asked. Nothing else can be read: no other file, no address; and nothing is ever changed.`,
  examples: [
    "catalogue-etl sql pipelines/products.yaml 'select status, count(*) from products group by all'",
    'catalogue-etl sql pipelines/products.yaml :no-packshot-by-brand',
    'catalogue-etl sql pipelines/products.yaml --question no-price --to no-price.xlsx',
  ],
  async run({ config, statement, ...input }, terminal) {
    if (input.to !== undefined) checkResultPath(input.to)
    const asked = await readAsked(statement, input, terminal)
    const { plan, env } = await loadPlan(config, { ...input, needsService: false, takesExports: true }, terminal)
    const listed = await readPublished(plan, { env })
    if (asked === null) return list(plan, listed, input, terminal)
    const catalogue = toCatalogue(plan, listed)
    const sql = 'sql' in asked ? asked.sql : toQuestionSql(asked.question, plan.questions ?? {}, catalogue)
    if (input.show) return print(terminal, sql)
    await withPublished(plan, { env, signal: terminal.signal }, async ({ published, read }) => {
      const result = await read(sql)
      const { to, limit } = input
      if (to === undefined) return show(result, input, terminal)
      const { rows, path } = await writeResult(result, to, { published, manifest: plan.report.manifest.path, limit })
      log(terminal, `${countOf(rows, 'row')} in ${path}`)
    })
  },
})

type Asked = { readonly sql: string } | { readonly question: string }

/** What is asked; null for nothing. Throws USAGE for two things at once. */
async function readAsked(
  statement: string | undefined,
  { question, file, show: shows }: Input,
  terminal: Terminal,
): Promise<Asked | null> {
  const given = [statement, question, file].filter((each) => each !== undefined)
  if (given.length > 1)
    throw new CatalogueError('USAGE', 'expected a statement, --question or --file, got more than one of them')
  const name = question ?? (statement?.startsWith(':') === true ? statement.slice(1) : undefined)
  if (shows && name === undefined) throw new CatalogueError('USAGE', 'expected --show with --question, got it alone')
  if (name !== undefined) return { question: name }
  if (file === '-') return { sql: await readText(terminal.stdin) }
  if (file !== undefined) return { sql: await readStatement(file) }
  return statement === undefined ? null : { sql: statement }
}

async function readStatement(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CatalogueError(
      'SOURCE_NOT_FOUND',
      `${file}: expected a file with a statement, got: ${(error as Error).message}`,
      { cause: error },
    )
  }
}

type Listed = Awaited<ReturnType<typeof readPublished>>

function toCatalogue({ records: { locales } }: PipelinePlan, { tables, published }: Listed): Catalogue {
  const { finishedAt = '1970-01-01T00:00:00.000Z' } = published
  return { tables, locales, finishedAt }
}

async function show(result: SqlResult, { as: form = 'table', limit }: Input, terminal: Terminal): Promise<void> {
  if (form !== 'table') {
    for await (const text of toText(result, form, { limit })) terminal.stdout.write(text)
    return
  }
  const most = limit ?? usualRows
  const rows = await readRows(result, most + 1)
  const shown = rows.slice(0, most)
  const colors = colorsFor(terminal.stdout, terminal.env)
  const width = columnsOf(terminal.stdout) ?? usualWidth
  if (shown.length > 0) print(terminal, renderResult(result.columns, shown, width, colors))
  const more =
    rows.length > most
      ? `the first ${formatCount(most)} rows; --limit or --to FILE gives more`
      : countOf(rows.length, 'row')
  log(terminal, more)
}

const usualRows = 50
const usualWidth = 100

function list(plan: PipelinePlan, { tables, changed }: Listed, { as: form }: Input, terminal: Terminal): void {
  const own = Object.keys(plan.questions ?? {})
  const questions = [
    ...own.map((name) => ({ name, title: 'of the config' })),
    ...savedQuestions.filter(({ name }) => !own.includes(name)).map(({ name, title }) => ({ name, title })),
  ]
  if (form === 'json') {
    const described = tables.map(({ name, rows, place, columns }) => ({
      name,
      rows,
      place,
      columns: columns.map(toListed),
    }))
    return writeJson(terminal, { pipeline: plan.name, tables: described, changed, questions })
  }
  const colors = colorsFor(terminal.stdout, terminal.env)
  const lines = [
    colors.bold(`${plan.name}  ${countOf(tables.length, 'table')}`),
    ...layOut(
      tables.map((table) => [table.name, countRows(table), countOf(table.columns.length, 'column'), table.place]),
    ),
    '',
    colors.bold('questions'),
    ...layOut(questions.map(({ name, title }) => [`:${name}`, title])),
    ...(changed.length === 0
      ? []
      : ['', ...changed.map((each) => colors.yellow(escapeControls(`changed since the run: ${each}`)))]),
  ]
  print(terminal, lines.join('\n'))
}

function toListed({ name, type, from }: PublishedTable['columns'][number]) {
  return { name, type, from }
}

function countRows({ rows }: PublishedTable): string {
  return rows === null ? '' : countOf(rows, 'row')
}

/** Lines of cells, aligned; the last cell is as long as it is. */
function layOut(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)))
  return lines.map((line) =>
    `  ${line.map((cell, at) => escapeControls(cell).padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd(),
  )
}
