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
import { createProgress } from '../../render/progress.ts'
import { renderReport } from '../../render/render-report.ts'
import { renderRows } from '../../render/render-rows.ts'
import { print, colorsFor, log, type Terminal } from '../../terminal.ts'
import { toCount } from '../../shared-options.ts'
import type { Manifest } from '../../../manifest/manifest.ts'
import { formatCount } from '../../../text/format-count.ts'

const configs = ['products.yaml', 'products-v3.yaml', 'news-items.yaml']

export const demoCommand = defineCommand({
  description: 'Starts a sandbox and runs three of the ready pipelines against it: no account, no network.',
  options: {
    records: withDefault(option('<n>', 'how many products the sandbox has', toCount), 1000),
    out: withDefault(option('<dir>', 'where the outputs go'), 'out'),
  },
  examples: ['catalogue-etl demo --records 10000'],
  async run({ records, out }, terminal) {
    const sandbox = await startSandbox({ products: records })
    try {
      const size = `${formatCount(records)} products`
      log(terminal, `started a sandbox, a stand-in of the service with ${size}, at ${sandbox.baseUrl}`)
      const asCustomer = { ...terminal, env: { ...terminal.env, ...toEnvironment(sandbox) } }
      for (const config of configs) await runDemoPipeline(config, out, asCustomer)
    } finally {
      await sandbox.close()
    }
    log(terminal, nextSteps)
  },
})

const nextSteps = `closed the sandbox. Next:
  with your own account, set CATALOGUE_URL, CATALOGUE_KEY_ID and CATALOGUE_KEY_SECRET: npx catalogue-etl run pipelines/products.yaml
  without an account, start a sandbox that keeps running and prints the variables to set: npx catalogue-etl sandbox`

function toEnvironment({ baseUrl, keyId, keySecret }: Sandbox): Terminal['env'] {
  return { CATALOGUE_URL: baseUrl, CATALOGUE_KEY_ID: keyId, CATALOGUE_KEY_SECRET: keySecret }
}

async function runDemoPipeline(config: string, out: string, terminal: Terminal): Promise<void> {
  const path = packageFile(`pipelines/${config}`)
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
  const table = await readFirstRows(report)
  print(terminal, `\n${renderRows(table, stdout.columns, colorsFor(stdout, env), shownColumns)}\n`)
}

const shownRows = 3
const shownColumns = 10

/** Reads the first rows from the published CSV file; the service is not asked again. */
async function readFirstRows({ files }: Manifest): Promise<PreviewTable> {
  const file = files.find(({ format }) => format === 'csv')
  if (file === undefined) throw new TypeError('the pipelines of the demo write CSV')
  const records = parseCsvRows(await readFirstLines(file.path, shownRows + 1), { delimiter: ',' }).slice(1)
  const rows = records.map(({ cells }) =>
    Object.fromEntries(file.columns.map(({ name }, at) => [name, cells[at] === '' ? null : cells[at]])),
  )
  return { name: file.table, columns: file.columns, rows }
}

/** Reads the first lines of CSV. A line break between quotes ends no line. */
async function readFirstLines(path: string, most: number): Promise<string> {
  const lines: string[] = []
  let count = 0
  let isOpen = false
  const input = createReadStream(path)
  for await (const line of createInterface({ input })) {
    lines.push(line)
    isOpen = isOpen !== (line.split('"').length % 2 === 0)
    if (!isOpen && ++count === most) break
  }
  input.destroy()
  return lines.join('\n')
}
