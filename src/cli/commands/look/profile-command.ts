import * as fs from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { profileFile, type ReadExport } from '../../../inspect/profile/profile-file.ts'
import { profilePipeline } from '../../../inspect/profile/profile-pipeline.ts'
import { CatalogueError } from '../../../errors.ts'
import { beginsAsExport } from '../../../plan/source/recognize-export.ts'
import type { RunProfile } from '../../../kernel/profile/run-profile.ts'
import { createFolders, renameFile } from '../../../storage/file-system.ts'
import { outputOperation } from '../../../storage/output-operation.ts'
import { defineCommand, type InputOf } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag, option, repeated } from '../../parameter.ts'
import { createProgress } from '../../progress/progress.ts'
import { renderProfile } from '../../render/render-profile.ts'
import { renderCompleteness } from '../../render/render-report.ts'
import { colorsFor, log, logEvent, print, writeJson, type Terminal } from '../../terminal.ts'
import { contractChoice, configOptions } from '../../shared-options.ts'
import { formatCount } from '../../../text/format-count.ts'

const profileOptions = {
  ...configOptions,
  contract: contractChoice('what the records of an export are; by default they are recognized'),
  table: repeated('<name>', 'only this table (repeatable)'),
  column: repeated('<name>', 'only this column, with more of its values (repeatable)'),
  json: flag('write the profile as JSON, in the form of _profile.json'),
  to: option('<file>', 'write the same JSON to a file as well'),
}

type Options = InputOf<typeof profileOptions>

export const profileCommand = defineCommand({
  description:
    'Counts the values of every column: of what a pipeline published, or of a file (an export, Parquet, CSV). Needs DuckDB; only reads.',
  otherNames: ['inspect', 'stats', 'summary', 'summarize', 'analyze', 'analyse', 'count'],
  arguments: {
    file: argument('<config-or-file>', 'a YAML, JSON, .ts or .js config; or a file, - for standard input'),
  },
  options: profileOptions,
  examples: [
    'catalogue-etl profile pipelines/products.yaml --table products --column status',
    'catalogue-etl profile data/export.ndjson.gz --json --to profile.json',
  ],
  async run({ file, ...input }, terminal) {
    const read = (await isConfig(file)) ? profileConfig : profileOneFile
    const found = await read(file, input, terminal)
    const { to, json, column } = input
    if (to !== undefined) await writeProfile(to, found, terminal)
    if (json) return writeJson(terminal, found)
    const colors = colorsFor(terminal.stdout, terminal.env)
    print(terminal, renderProfile(found, colors, { width: terminal.stdout.columns, isDetailed: column !== undefined }))
  },
})

/** A JSON file may be a config or an export; its beginning tells. */
async function isConfig(file: string): Promise<boolean> {
  const extension = extname(file).toLowerCase()
  if (extension !== '.json') return configExtensions.has(extension)
  return !(await beginsAsExport(file))
}

const configExtensions = new Set(['.yaml', '.yml', '.ts', '.mts', '.js', '.mjs'])

async function profileConfig(file: string, options: Options, terminal: Terminal): Promise<RunProfile> {
  const { table: tables, column: columns } = options
  if (options.contract !== undefined) {
    const message = `${file}: expected --contract for an export, got it for a config, which has its own`
    throw new CatalogueError('USAGE', message)
  }
  const { plan, env } = await loadPlan(file, { ...options, needsService: false }, terminal)
  const { signal } = terminal
  return profilePipeline(plan, { tables, columns, env, signal })
}

async function profileOneFile(file: string, options: Options, terminal: Terminal): Promise<RunProfile> {
  const { table: tables, column: columns } = options
  if (file === '-' && options.contract === undefined)
    throw new CatalogueError('USAGE', 'expected --contract for standard input, which can be read only once, got none')
  const { env, signal, stdin } = terminal
  const progress = await createProgress(terminal, false)
  const onProgress = progress.show.bind(progress)
  const found = await profileFile(file, {
    contract: options.contract,
    tables,
    columns,
    env,
    signal,
    stdin,
    onProgress,
  }).finally(() => progress.stop())
  if (found.export !== null) logExport(file, found.export, terminal)
  if (found.typesFrom !== undefined) logTypes(file, found.typesFrom, terminal)
  return found.profile
}

function logExport(file: string, { contract, reason, ledger, completeness }: ReadExport, terminal: Terminal): void {
  const { lines, accepted, rejected } = ledger
  const colors = colorsFor(terminal.stderr, terminal.env)
  log(
    terminal,
    `${file}: ${contract}, ${reason}; ${formatCount(accepted)} of ${formatCount(lines)} lines are in the profile`,
  )
  log(terminal, `${file}: ${renderCompleteness(completeness, colors)}`)
  if (rejected === 0) return
  const message = `${file}: ${formatCount(rejected)} lines were rejected and are not in the profile`
  const event = { level: 'warn', event: 'profile.rejects', message, file, rejected } as const
  logEvent(terminal, event, () => colors.yellow(`${message}: \`run\` with a config says why`))
}

function logTypes(file: string, typesFrom: string | null, terminal: Terminal): void {
  if (typesFrom !== null) return log(terminal, `${file}: types of columns as ${typesFrom} has them`)
  const message = `${file}: CSV says no types, and no manifest beside it lists it as it is: every column is taken for text, whose least and greatest values are those of an alphabet`
  log(terminal, colorsFor(terminal.stderr, terminal.env).yellow(message))
}

/** Writes to another name first, so that a file at this path is always whole. */
async function writeProfile(path: string, found: RunProfile, terminal: Terminal): Promise<void> {
  const partial = `${path}.partial`
  await outputOperation(path, 'written', async () => {
    await createFolders(dirname(path), fs)
    await fs.writeFile(partial, `${JSON.stringify(found, null, 2)}\n`)
    await renameFile(partial, path)
  })
  log(terminal, `profile in ${path}`)
}
