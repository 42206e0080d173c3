import { Command } from 'commander'
import type { ContractName } from '../../contracts/contracts.ts'
import { diff } from '../../engine/diff/diff.ts'
import { exitCodes } from '../../errors.ts'
import { readEnvFiles } from '../env-file.ts'
import { createProgress } from '../render/progress.ts'
import { renderDiff } from '../render/render-diff.ts'
import { colorsFor, columnsOf, logEvent, print, writeJson, type Finish, type Terminal } from '../terminal.ts'
import { collect, contractOption, withEnvFile } from './command-options.ts'

interface DiffCommandOptions {
  readonly contract?: ContractName
  readonly ignore?: readonly string[]
  readonly include?: readonly string[]
  readonly only?: readonly string[]
  readonly to?: string
  readonly env?: readonly string[]
  readonly json?: true
  readonly exitCode?: true
}

export function createDiffCommand(terminal: Terminal, finish: Finish): Command {
  return withEnvFile(new Command('diff'))
    .description(
      'Compares two exports, landings or published runs: what is new, removed or changed, and in which fields. Only reads.',
    )
    .argument('<old>', 'an export, a pattern of several in quotes, a folder of landed files, or that of a run')
    .argument('<new>', 'another one')
    .addOption(contractOption('what the records of exports are; by default they are recognized'))
    .option('--to <file>', 'write every difference to a .csv, .csv.gz or .parquet file: id, field, element, old, new')
    .option('--only <field>', 'compare this field and what is below it, nothing else (repeatable)', collect)
    .option('--ignore <field>', 'leave out this field and what is below it (repeatable)', collect)
    .option('--include <field>', 'compare a field that is left out by default (repeatable)', collect)
    .option('--exit-code', 'end with 3 where something differs')
    .option('--json', 'write the counts as JSON')
    .addHelpText('after', diffHelp)
    .action(async (old: string, next: string, options: DiffCommandOptions) =>
      finish(await compare(old, next, options, terminal)),
    )
}

const diffHelp = `
Left out by default: meta.updatedAt, and what is signed anew at every request (meta.embedUrl,
meta.publicPageUrl). Fields are written as in configs: publicPrice, name.nl, photos[].formats. Of runs the
rows are compared, table by table: a field is a column there, public_price or product_photos.id, or a table.

Example:
  $ catalogue-etl diff monday.ndjson.gz tuesday.ndjson.gz --to changes.csv
  $ catalogue-etl diff monday.ndjson.gz tuesday.ndjson.gz --only publicPrice
  $ catalogue-etl diff products-last-week out/products`

async function compare(old: string, next: string, options: DiffCommandOptions, terminal: Terminal): Promise<number> {
  const { signal, stdout } = terminal
  const { json, exitCode, env: envFiles = [], ...compared } = options
  const env = await readEnvFiles(envFiles, terminal)
  const progress = await createProgress(terminal, false)
  const warnings: string[] = []
  const report = await diff(old, next, {
    ...compared,
    env,
    signal,
    onWarning: (message) => warnings.push(message),
    onProgress: ({ lines, bytes }) => progress.show({ pipeline: 'diff', lines, bytes, total: null }),
  }).finally(() => progress.stop())
  for (const message of warnings) {
    const colors = colorsFor(terminal.stderr, env)
    logEvent(terminal, { level: 'warn', event: 'diff.warning', message }, () => colors.yellow(message))
  }
  if (json) writeJson(terminal, report)
  else print(terminal, renderDiff(report, colorsFor(stdout, env), columnsOf(stdout) ?? usualWidth))
  return exitCode && !report.equal ? exitCodes.tooManyRejects : exitCodes.published
}

/** Columns of a line, where there is no terminal that says. */
const usualWidth = 100
