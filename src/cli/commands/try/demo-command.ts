import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { PreviewTable } from '../../../engine/run/preview-plan.ts'
import { unobserved } from '../../../engine/observe/observe-run.ts'
import { runPlan } from '../../../engine/run/run-pipeline.ts'
import { packageFile } from '../../../package-file.ts'
import { parseCsvRows } from '../../../sources/csv-table.ts'
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { option, withDefault } from '../../parameter.ts'
import { createProgress } from '../../progress/progress.ts'
import { renderReport } from '../../render/render-report.ts'
import { renderRows } from '../../render/render-rows.ts'
import { print, colorsFor, log, type Terminal } from '../../terminal.ts'
import { toCount } from '../../shared-options.ts'
import type { Manifest } from '../../../manifest/manifest.ts'

export const demoCommand = defineCommand({
  description: 'Runs a ready pipeline against a sandbox and shows five products: no account, no network.',
  options: {
    records: withDefault(option('<n>', 'how many products the sandbox has', toCount), 1000),
    out: withDefault(option('<dir>', 'where the outputs go'), 'out'),
  },
  examples: ['catalogue-etl sandbox demo --records 10000'],
  async run({ records, out }, terminal) {
    const sandbox = await startSandbox({ products: records })
    try {
      const asCustomer = { ...terminal, env: { ...terminal.env, ...toEnvironment(sandbox) } }
      await runDemoPipeline(out, asCustomer)
    } finally {
      await sandbox.close()
    }
    log(terminal, nextSteps)
  },
})

const nextSteps = `These products are made up. Next:
  npx catalogue-etl run export.ndjson   an export of your own, without a config
  npx catalogue-etl sandbox             a stand-in of the service, to try configs with`

function toEnvironment({ baseUrl, keyId, keySecret }: Sandbox): Terminal['env'] {
  return { CATALOGUE_URL: baseUrl, CATALOGUE_KEY_ID: keyId, CATALOGUE_KEY_SECRET: keySecret }
}

async function runDemoPipeline(out: string, terminal: Terminal): Promise<void> {
  const path = packageFile('pipelines/products.yaml')
  const { plan } = await loadPlan(path, { out, needsService: true }, terminal)
  const { stdin, signal, stdout, stderr, env } = terminal
  const progress = await createProgress(terminal, false)
  const report = await runPlan(plan, {
    stdin,
    signal,
    env,
    observation: unobserved,
    onProgress: (at) => progress.show(at),
  }).finally(() => progress.stop())
  log(terminal, renderReport(report, colorsFor(stderr, env), stderr.columns))
  const table = await readPricedProducts(report)
  print(terminal, `\n${renderRows(table, stdout.columns, colorsFor(stdout, env))}\n`)
}

const shownRows = 5
const shownColumns = new Set(['id', 'cnk', 'name_nl', 'status', 'public_price'])

/** Reads the first products that have a price from the published CSV file; the service is not asked again. */
async function readPricedProducts({ files }: Manifest): Promise<PreviewTable> {
  const file = files.find(({ format }) => format === 'csv')
  if (file === undefined) throw new TypeError('the pipeline of the demo writes CSV')
  const columns = file.columns.filter(({ name }) => shownColumns.has(name))
  const rows: Record<string, string | null>[] = []
  for await (const cells of readCells(file.path)) {
    const row = Object.fromEntries(file.columns.map(({ name }, at) => [name, cells[at] || null]))
    if (row['public_price'] && row['name_nl']) rows.push(row)
    if (rows.length === shownRows) break
  }
  return { name: file.table, columns, rows }
}

/** The cells of each row of a CSV file. A line break between quotes ends no row. */
async function* readCells(path: string): AsyncGenerator<readonly string[]> {
  const input = createReadStream(path)
  let isHead = true
  let text = ''
  try {
    for await (const line of createInterface({ input })) {
      text += text === '' ? line : `\n${line}`
      if (text.split('"').length % 2 === 0) continue
      const [record] = parseCsvRows(text, { delimiter: ',' })
      if (!isHead && record !== undefined) yield record.cells
      isHead = false
      text = ''
    }
  } finally {
    input.destroy()
  }
}
