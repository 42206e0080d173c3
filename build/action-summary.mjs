import { appendFileSync, copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/* A step of action.yml: writes what report.json of a folder says to the job summary, and copies the pages of runs into the folder. */

const folder = process.argv[2] ?? '.'
const text = readFileSync(join(folder, 'report.json'), 'utf8')
const document = text === '' ? { error: { title: 'No report', message: 'the log has the reason' } } : JSON.parse(text)
const { runs = [] } = document

const cell = (value) =>
  String(value ?? '')
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
const lines = runs.map(({ pipeline, ok, report, error }) => {
  const { ledger, completeness, tables = [] } = report ?? {}
  const said = ok ? tables.map(({ name, rows }) => `${name} ${rows}`).join(', ') : `${error?.title}: ${error?.message}`
  return [
    ok ? 'published' : 'failed',
    pipeline,
    ledger?.lines,
    ledger?.accepted,
    ledger?.rejected,
    completeness?.status,
    said,
  ]
})
const head = ['Outcome', 'Pipeline', 'Lines', 'Accepted', 'Rejected', 'Complete', 'Rows, or what is wrong']
const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.map(cell).join(' | ')} |`)
const failed =
  document.error === undefined ? [] : ['', `**${cell(document.error.title)}**: ${cell(document.error.message)}`]
appendFileSync(process.env.GITHUB_STEP_SUMMARY, ['## catalogue-etl', '', ...table, ...failed, ''].join('\n'))

for (const { pipeline, report } of runs) {
  const page = report?.report?.path
  if (page !== undefined && existsSync(page)) copyFileSync(page, join(folder, `${pipeline}.html`))
}
