import { diff, diffHistory } from '../../../inspect/diff/diff.ts'
import { namesConfig } from '../../../describe/init/is-export.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import { CatalogueError, exitCodes } from '../../../errors.ts'
import { defineCommand, type InputOf } from '../../command.ts'
import { readEnvFiles } from '../../env-file.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag, list, option, repeated } from '../../parameter.ts'
import { createProgress } from '../../progress/progress.ts'
import { renderDiff } from '../../render/render-diff.ts'
import { colorsFor, columnsOf, logEvent, print, type Terminal, writeJson } from '../../terminal.ts'
import { asOfOption, configOptions, contractChoice } from '../../shared-options.ts'

export const diffCommand = defineCommand({
  description:
    'Compares two exports or runs: landings, published runs, configs, versions of a lake table, or a history at two dates; what is new, removed or changed, and in which fields. Only reads.',
  otherNames: ['compare', 'cmp', 'changes'],
  arguments: {
    old: argument(
      '<old>',
      'an export, a pattern of several in quotes, a folder of landed files, or that of a run or of a table in a lake; or a config: what it published last, also in databases, or its history with --as-of',
    ),
    new: argument('[new]', 'another one; with --as-of none'),
  },
  options: {
    ...configOptions,
    ...asOfOption,
    and: option('<date>', 'with --as-of: the later date, now by default'),
    contract: contractChoice('what the records of exports are; by default they are recognized'),
    to: option(
      '<file>',
      'write every difference to a file (.csv, .ndjson, also with .gz; .parquet): id, field, element, old, new; or to a workbook (.xlsx) with a sheet each for new, gone, prices, texts, images, others',
    ),
    with: list('<fields>', 'values of the record beside each difference in that file: cnk,name.nl,brands[0].name'),
    only: repeated('<field>', 'compare this field and what is below it, nothing else (repeatable)'),
    ignore: repeated('<field>', 'leave out this field and what is below it (repeatable)'),
    include: repeated('<field>', 'compare a field that is left out by default (repeatable)'),
    exitCode: flag('end with 3 where something differs'),
    json: flag('write the counts as JSON'),
  },
  before: `Left out by default: meta.updatedAt, and what is signed anew at every request (meta.embedUrl,
meta.publicPageUrl). Fields are written as in configs: publicPrice, name.nl, photos[].formats. Of runs the
rows are compared, table by table: a field is a column there, public_price or product_photos.id, or a table.`,
  examples: [
    'catalogue-etl diff monday.ndjson.gz tuesday.ndjson.gz --to changes.csv',
    'catalogue-etl diff monday.ndjson.gz tuesday.ndjson.gz --to changes.xlsx --with cnk,name.nl,brands[0].name',
    'catalogue-etl diff monday.ndjson.gz tuesday.ndjson.gz --only publicPrice',
    'catalogue-etl diff products-last-week out/products',
    'catalogue-etl diff products-last-week products.yaml',
    'catalogue-etl diff lake/products@3 lake/products@4',
    'catalogue-etl diff nightly.yaml --as-of 2026-03-01 --and 2026-03-31 --only publicPrice',
  ],
  async run({ old, new: next, json, exitCode, ...options }, terminal) {
    const { signal, stdout } = terminal
    const env = await readEnvFiles(options.env ?? [], terminal)
    const progress = await createProgress(terminal, false)
    const warnings: string[] = []
    const asked = {
      ...options,
      env,
      signal,
      onWarning: (message: string) => void warnings.push(message),
      onProgress: ({ lines, bytes }: { readonly lines: number; readonly bytes: number }) =>
        progress.show({ pipeline: 'diff', lines, bytes, total: null }),
    }
    const { asOf } = options
    const compare = async () =>
      asOf === undefined
        ? diff(old, requireNew(next, options), { ...asked, plans: await loadPlans([old, next], options, terminal) })
        : diffHistory(await loadHistory(old, next, options, terminal), { ...options, asOf }, asked)
    const report = await compare().finally(() => progress.stop())
    for (const message of warnings) {
      const colors = colorsFor(terminal.stderr, env)
      logEvent(terminal, { level: 'warn', event: 'diff.warning', message }, () => colors.yellow(message))
    }
    if (json) writeJson(terminal, report)
    else print(terminal, renderDiff(report, colorsFor(stdout, env), columnsOf(stdout) ?? usualWidth))
    return exitCode && !report.equal ? exitCodes.tooManyRejects : exitCodes.published
  },
})

const usualWidth = 100

function requireNew(next: string | undefined, { and }: { readonly and?: string | undefined }): string {
  if (and !== undefined)
    throw new CatalogueError('USAGE', 'expected --and with --as-of, the earlier date, got it alone')
  if (next !== undefined) return next
  throw new CatalogueError('USAGE', 'expected two things to compare, got one', {
    fix: 'Name another export, landing or run; or two dates of a history: `diff nightly.yaml --as-of 2026-03-01 --and 2026-03-31`.',
  })
}

type ConfigOptions = Pick<InputOf<typeof configOptions>, 'env' | 'set' | 'out'>

/** The plans of the sides that are configs, by their paths. */
async function loadPlans(sides: readonly (string | undefined)[], options: ConfigOptions, terminal: Terminal) {
  const plans = new Map<string, PipelinePlan>()
  for (const side of sides) {
    if (side === undefined || plans.has(side) || !namesConfig(side)) continue
    const { plan } = await loadPlan(side, { ...options, needsService: false }, terminal)
    plans.set(side, plan)
  }
  return plans
}

async function loadHistory(config: string, next: string | undefined, options: ConfigOptions, terminal: Terminal) {
  if (next !== undefined)
    throw new CatalogueError(
      'USAGE',
      `expected one config with --as-of, which is compared with itself, got ${next} too`,
    )
  const { plan } = await loadPlan(config, { ...options, needsService: false }, terminal)
  return { path: config, plan }
}
