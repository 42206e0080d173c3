import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { CatalogueError } from '../../../errors.ts'
import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../../formats/csv.ts'
import type { ReportPlan } from '../../../plan/report-plan.ts'
import { readManifest } from '../../../manifest/read-manifest.ts'
import { openStorage } from '../../../storage/open-storage.ts'
import { isObjectPath } from '../../../storage/s3/object-path.ts'
import { readRejects } from '../../../sources/rejects/read-rejects.ts'
import { RejectGroups, type RejectFilter } from '../../../sources/rejects/reject-groups.ts'
import { rejectColumns, toRejectRows } from '../../../sources/rejects/reject-rows.ts'
import type { Row } from '../../../records/flatten/column.ts'
import type { RejectsFileLine } from '../../../records/reject.ts'
import { type CommandGroup, defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag, option, repeated, required } from '../../parameter.ts'
import { renderGroup } from '../../render/render-rejects.ts'
import { colorsFor, print, writeJson, type Terminal } from '../../terminal.ts'
import { configOptions } from '../../shared-options.ts'
import { runAndReport } from './run-command.ts'
import { replayOptions, type RunInput } from './run-options.ts'
import { writeCorrections } from './write-corrections.ts'
import { quoteForShell } from '../../../describe/init/quote-for-shell.ts'
import { countOf, formatCount } from '../../../text/format-count.ts'

export const showRejectsCommand = defineCommand({
  description: 'Groups the rejects of the last run by reason, with examples. Also of a run that failed for them.',
  otherNames: ['errors', 'rejected'],
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: {
    ...configOptions,
    code: option('<code>', 'only rejects with this code, invalid_type for instance'),
    path: option('<path>', 'only rejects at this path, photos[].displayOrder for instance'),
    json: flag('write the groups as JSON'),
    csv: flag('write every reject as a line of CSV, one for each of its reasons'),
    to: option(
      '<file>',
      'write a table (.xlsx or .csv) of the wrong values, in which you fill in the column corrected',
    ),
  },
  examples: [
    'catalogue-etl rejects show products.yaml',
    'catalogue-etl rejects show products.yaml --code invalid_type --csv > rejects.csv',
    'catalogue-etl rejects show products.yaml --to fix.xlsx',
  ],
  async run({ config, ...input }, terminal) {
    const forms = (['json', 'csv', 'to'] as const).filter((name) => input[name] !== undefined)
    if (forms.length > 1)
      throw new CatalogueError('USAGE', `expected one of --json, --csv and --to, got --${forms.join(' and --')}`)
    const { plan, env } = await loadPlan(config, { ...input, needsService: false, takesExports: true }, terminal)
    const ofConfig = { ...terminal, env }
    const rejects = readAll(plan.report.rejects.path, ofConfig)
    if (input.to !== undefined) await writeTable(config, input.to, rejects, input, terminal)
    else if (input.csv) await writeRows(rejects, input, ofConfig)
    else await writeGroups(plan.name, plan.report, rejects, input, ofConfig)
  },
})

const replay = defineCommand({
  description:
    'Runs a pipeline with corrected lines in the place of rejected ones: checks everything again, and publishes it or nothing.',
  otherNames: ['replay', 'retry'],
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: {
    ...replayOptions,
    fixed: required(
      repeated(
        '<file>',
        'a table of --to with corrected values, or a copy of the rejects file in which raw was corrected, of some lines or of all (repeatable)',
      ),
    ),
  },
  examples: [
    'cp out/products/_rejects.ndjson fixed.ndjson',
    'edit fixed.ndjson    # correct "raw", leave the other members',
    'catalogue-etl rejects replay products.yaml --fixed fixed.ndjson',
  ],
  after: `Lines that are missing, or as they were, stay rejected; the order is free. Corrections add up with those of
earlier replays. Of a pipeline that ran with
--from, give the same files. The exit codes are those of run; 3 also where lines of the file are wrong.`,
  run: ({ config, fixed, ...input }, terminal) =>
    runAndReport({ ...input, ...toFixed(fixed), files: [config] }, terminal),
})

/** A table of corrections is that of the config in this run; lines take the place of others. Throws USAGE for both. */
function toFixed(fixed: readonly string[]): Pick<RunInput, 'fixed' | 'corrections'> {
  const table = fixed.find((path) => /\.(?:csv|xlsx)$/i.test(path))
  if (table === undefined) return { fixed }
  if (fixed.length > 1)
    throw new CatalogueError('USAGE', `expected one table of corrections alone, got ${fixed.join(', ')}`)
  return { corrections: table }
}

export const rejectsCommand: CommandGroup = {
  description: 'Shows the lines that a run has rejected: by reason, and puts corrected ones in their place.',
  examples: ['catalogue-etl rejects show products.yaml'],
  commands: { show: showRejectsCommand, replay },
}

async function writeTable(
  config: string,
  path: string,
  rejects: AsyncIterable<RejectsFileLine>,
  filter: RejectFilter,
  terminal: Terminal,
): Promise<void> {
  const { rows, others } = await writeCorrections(path, rejects, filter)
  const more =
    others === 0 ? [] : [`${countOf(others, 'other line')} can only be corrected in a copy of the rejects file`]
  const next = [
    'Fill in the column corrected, then run once with it:',
    `  catalogue-etl rejects replay ${quoteForShell(config)} --fixed ${quoteForShell(path)}`,
    'or keep it for every run until the source is right:',
    `  rejects: { corrections: ${path} }`,
  ]
  print(terminal, [`${countOf(rows, 'wrong value')} in ${path}`, ...more, ...(rows === 0 ? [] : next)].join('\n'))
}

/** Throws SOURCE_FAILED at a malformed line, as this tool wrote the file. */
async function* readAll(path: string, terminal: Terminal): AsyncGenerator<RejectsFileLine> {
  for await (const { lineNumber, reject, problem } of readRejects(path, terminal)) {
    if (reject === null) throw new CatalogueError('SOURCE_FAILED', `${path}, line ${lineNumber}: ${problem}`)
    yield reject
  }
}

async function writeGroups(
  name: string,
  report: ReportPlan,
  rejects: AsyncIterable<RejectsFileLine>,
  { code, path, json }: RejectFilter & { readonly json: true | undefined },
  terminal: Terminal,
): Promise<void> {
  const groups = new RejectGroups({ code, path })
  let count = 0
  for await (const reject of rejects) {
    groups.add(reject)
    count++
  }
  const origin = await findOrigin(name, report, count, terminal)
  const list = groups.list()
  if (json) {
    const document = {
      pipeline: name,
      path: report.rejects.path,
      ...origin,
      count,
      shown: groups.count,
      groups: list,
    }
    return writeJson(terminal, document)
  }
  const { stdout, env } = terminal
  const colors = colorsFor(stdout, env)
  const width = stdout.columns ?? usualWidth
  const shown = groups.count === count ? '' : `, ${formatCount(groups.count)} of them shown`
  const subject = `${countOf(count, 'line')} rejected${shown}`
  const head = [`${colors.bold(name)}  ${subject}`, `  by ${describeOrigin(origin)}`, `  ${report.rejects.path}`]
  print(terminal, head.join('\n'))
  for (const group of list) print(terminal, `\n${renderGroup(group, colors, width)}`)
}

const usualWidth = 80

interface Origin {
  /** ISO 8601 in UTC; null for an object of a bucket. */
  readonly writtenAt: string | null
  /** False for rejects of a failed run; null if that is unknown. */
  readonly isPublished: boolean | null
}

/** Recognizes the rejects of a failed run by the older manifest: a run that publishes writes its manifest last. */
async function findOrigin(
  name: string,
  { rejects, manifest }: ReportPlan,
  count: number,
  { env }: Terminal,
): Promise<Origin> {
  const storage = await openStorage(manifest.path, env)
  try {
    const { rejects: listed } = (await readManifest(manifest.path, { ownOrNull: name }, storage)) ?? {}
    const published = listed?.count ?? null
    if (isObjectPath(rejects.path)) return { writtenAt: null, isPublished: published === count ? null : false }
    const { mtime } = await stat(rejects.path)
    const isNewer = published !== null && mtime > (await stat(manifest.path)).mtime
    return { writtenAt: mtime.toISOString(), isPublished: published === count && !isNewer }
  } finally {
    await storage.close()
  }
}

function describeOrigin({ writtenAt, isPublished }: Origin): string {
  const run = isPublished === null ? 'the last run' : isPublished ? 'the published run' : 'a run that published nothing'
  return writtenAt === null ? run : `${run} (${writtenAt.slice(0, 19).replace('T', ' ')} UTC)`
}

async function writeRows(
  rejects: AsyncIterable<RejectsFileLine>,
  filter: RejectFilter,
  { stdout, signal }: Terminal,
): Promise<void> {
  const encode = createCsvEncoder(rejectColumns, csvDialect)
  stdout.write(formatCsvHeader(rejectColumns, csvDialect))
  let rows: Row[] = []
  for await (const reject of rejects) {
    rows.push(...toRejectRows(reject, filter))
    if (rows.length < rowsAtOnce) continue
    const isFull = !stdout.write(encode(rows))
    rows = []
    // The reader has closed the pipe.
    if (stdout.destroyed) return
    if (isFull) await once(stdout, 'drain', { signal })
  }
  stdout.write(encode(rows))
}

const rowsAtOnce = 500

/** Escapes formulas: values come from an unchecked source, and spreadsheets run what looks like a formula. */
const csvDialect = { ...defaultCsvDialect, escapeFormulas: true }
