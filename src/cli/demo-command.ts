import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import type { ContractName } from '../contracts/contracts.ts'
import { previewPlan } from '../engine/preview-plan.ts'
import { runPlan } from '../engine/run-pipeline.ts'
import { exitCodes } from '../errors.ts'
import { generateLines } from '../sandbox/generate-lines.ts'
import { loadPipelines } from './load-pipelines.ts'
import { renderReport } from './render-report.ts'
import { renderRows } from './render-rows.ts'
import { requirePlans } from './require-plans.ts'
import { colorsFor, say, type Finish, type Terminal } from './terminal.ts'
import { toCount } from './to-count.ts'
import { writeChunksToFile } from './write-chunks.ts'

interface DemoOptions {
  readonly records: number
  readonly out: string
  readonly data: string
}

interface Part {
  readonly config: string
  readonly contract: ContractName
  readonly file: string
  /** Of the products that the demo was asked for. */
  readonly share: number
}

const parts: readonly Part[] = [
  { config: 'products.yaml', contract: 'v4/product', file: 'products.ndjson', share: 1 },
  { config: 'products-v3.yaml', contract: 'v3/product', file: 'products-v3.ndjson.gz', share: 0.5 },
  { config: 'news-items.yaml', contract: 'v4/news-item', file: 'news-items.ndjson', share: 0.1 },
]

/** The main job on generated data: what somebody sees who has just arrived. */
export function createDemoCommand(terminal: Terminal, finish: Finish): Command {
  return new Command('demo')
    .description('Generates a small catalogue and runs three of the ready pipelines over it: no account, no network.')
    .option('--records <n>', 'how many products', toCount, 2000)
    .option('--data <dir>', 'where the generated data goes', 'data/demo')
    .option('--out <dir>', 'where the outputs go', 'out')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl demo --records 10000')
    .action(async (options: DemoOptions) => finish(await demonstrate(options, terminal)))
}

async function demonstrate({ records, data, out }: DemoOptions, terminal: Terminal): Promise<number> {
  const atDemoData = { ...terminal, env: { ...terminal.env, CATALOGUE_DATA: data } }
  for (const { config, contract, file, share } of parts) {
    const count = Math.ceil(records * share)
    await writeChunksToFile(generateLines({ contract, records: count, seed: 1 }), `${data}/${file}`, terminal.signal)
    say(terminal, `generated ${count} records of ${contract} in ${data}/${file}`)
    await runDemoPipeline(config, out, atDemoData)
  }
  return exitCodes.published
}

/** Runs one of the configs that come with this package, and shows the first rows of its root table. */
async function runDemoPipeline(config: string, out: string, terminal: Terminal): Promise<void> {
  const path = fileURLToPath(new URL(`../../pipelines/${config}`, import.meta.url))
  const [plan] = requirePlans(await loadPipelines([path], { out, needsService: true }, terminal), terminal)
  if (plan === undefined) return
  const { stdin, signal, stdout, stderr, env } = terminal
  say(terminal, renderReport(await runPlan(plan, { stdin, signal }), colorsFor(stderr, env)))
  const root = plan.records.tables[0]?.name
  const { tables } = await previewPlan(plan, { rows: 3, table: root, stdin, signal })
  const colors = colorsFor(stdout, env)
  stdout.write(`\n${tables.map((table) => renderRows(table, stdout.columns, colors, 14)).join('\n')}\n\n`)
}
