import { SingleBar } from 'cli-progress'
import { Command, Option } from 'commander'
import { CatalogueError, exitCodes } from '../../errors.ts'
import { createUsers, type CreateUsersReport, type UsersProgress } from '../../users/create-users.ts'
import { InvalidUserRows, planUsers, toResultsPath } from '../../users/plan-users.ts'
import type { UserFileFormat } from '../../users/read-user-rows.ts'
import { readEnvFiles } from '../env-file.ts'
import { barWidth } from '../render/progress-line.ts'
import { renderError, toErrorJson } from '../render/render-error.ts'
import { format as formatCount } from '../render/render-report.ts'
import { renderPlannedUsers, renderRowProblems, renderUsersReport, summarizePlan } from '../render/render-users.ts'
import { colorsFor, type Finish, print, log, type Terminal, writeJson } from '../terminal.ts'
import { inTermsOfVariables, readServiceAccess } from '../service-access.ts'
import { withEnvFile } from './command-options.ts'

interface CreateOptions {
  readonly format?: UserFileFormat
  readonly results?: string
  readonly dryRun?: true
  readonly env?: readonly string[]
  readonly json?: true
  readonly quiet?: true
}

export function createUsersCommand(terminal: Terminal, finish: Finish): Command {
  const subcommand = withEnvFile(new Command('create'))
    .description('Creates the users of a CSV or NDJSON file: checks every row first, and creates nobody twice.')
    .argument('<file>', 'a .csv, .tsv, .ndjson or .jsonl file, or - for standard input')
    .addOption(
      new Option('--format <name>', 'the format, if the name of the file does not say it').choices(['csv', 'ndjson']),
    )
    .option('--results <file>', 'the outcome of each row, a line each; default FILE.results.ndjson')
    .option('--dry-run', 'show what would happen; sends nothing, writes nothing')
    .option('--json', 'write the outcome as JSON to standard output')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', createHelp)
    .action(async (file: string, options: CreateOptions) => finish(await create(file, options, terminal)))
  return new Command('users')
    .description('Creates users on the service, the only thing that is written back.')
    .addCommand(subcommand)
    .addHelpText('after', '\nExample:\n  $ catalogue-etl users create users.csv')
}

const createHelp = `
Example:
  $ catalogue-etl users create users.csv --dry-run
  $ catalogue-etl users create users.csv --env production.env

CATALOGUE_URL, CATALOGUE_KEY_ID and CATALOGUE_KEY_SECRET say where and as whom.
A second run of the same file creates whom the first one did not.

Exit codes: 0 every row created or skipped, 1 unexpected failure, 2 usage, 3 rows are wrong (nothing was sent),
4 the service failed or refused rows, 5 results could not be written, 130 interrupted.`

/** Logs wrong rows one by one. */
async function create(file: string, options: CreateOptions, terminal: Terminal): Promise<number> {
  try {
    return await (options.dryRun ? show(file, options, terminal) : send(file, options, terminal))
  } catch (error) {
    if (!(error instanceof InvalidUserRows)) throw error
    const colors = colorsFor(terminal.stderr, terminal.env)
    log(terminal, renderRowProblems(file, error.problems, colors))
    log(terminal, renderError(error, colors))
    if (options.json) writeJson(terminal, { ok: false, error: toErrorJson(error), problems: error.problems })
    return error.exitCode
  }
}

async function show(
  file: string,
  { format, results, env: envFile, json, quiet }: CreateOptions,
  terminal: Terminal,
): Promise<number> {
  const { stdin, signal } = terminal
  const { baseUrl } = readServiceAccess(['baseUrl'], await readEnvFiles(envFile ?? [], terminal))
  const users = await planUsers({ file, format, results, baseUrl, stdin, signal })
  if (json) writeJson(terminal, { ok: true, file, baseUrl, results: toResultsPath({ file, results }), users })
  else if (users.length > 0) print(terminal, renderPlannedUsers(users))
  if (!quiet) log(terminal, `${file}: ${summarizePlan(users)} at ${baseUrl}; nothing was sent`)
  return exitCodes.published
}

async function send(
  file: string,
  { format, results, env: envFile, json, quiet }: CreateOptions,
  terminal: Terminal,
): Promise<number> {
  const { stdin, stderr, signal } = terminal
  const env = await readEnvFiles(envFile ?? [], terminal)
  const service = readServiceAccess(['baseUrl', 'keyId', 'keySecret'], env)
  const progress = createProgress(terminal, quiet === true)
  const report = await createUsers({
    file,
    format,
    results,
    service,
    env,
    stdin,
    signal,
    onProgress: (at) => progress.show(at),
    onWarning: (message) => log(terminal, `${file}: ${message}`),
  }).finally(() => progress.stop())
  const error = toError(report)
  const colors = colorsFor(stderr, terminal.env)
  if (!quiet || error !== null) log(terminal, renderUsersReport(report, colors))
  if (error !== null) log(terminal, renderError(error, colors))
  if (json) writeJson(terminal, { ok: error === null, report: toJson(report), error: error && toErrorJson(error) })
  return error === null ? exitCodes.published : error.exitCode
}

/** Why not every user is created; null where each is. */
function toError({
  file,
  results,
  rows,
  created,
  skipped,
  failed,
  unsent,
  stopped,
}: CreateUsersReport): CatalogueError | null {
  const counts = [`${formatCount(created)} created`, `${formatCount(skipped)} skipped`, `${formatCount(failed)} failed`]
  const outputs = `${counts.join(', ')}, ${formatCount(unsent)} not sent; results in ${results}.`
  if (stopped !== null) return inTermsOfVariables(stopped.withOutputs(outputs), 'to create users')
  if (failed === 0) return null
  const message = `${file}: expected ${formatCount(rows)} users to be created, got ${formatCount(failed)} that failed`
  return new CatalogueError('USERS_NOT_CREATED', message, { outputs })
}

function toJson(report: CreateUsersReport) {
  const { stopped: _, ...document } = report
  return document
}

/** Shows how many rows are done, on a terminal only. */
function createProgress({ stderr }: Terminal, quiet: boolean) {
  if (quiet || stderr.isTTY !== true) return { show: () => undefined, stop: () => undefined }
  const format = 'users  {bar} {value} of {total}, {eta_formatted} left'
  const barsize = Math.max(5, Math.min(40, barWidth(stderr) - 40))
  const bar = new SingleBar({ format, stream: stderr, clearOnComplete: true, hideCursor: true, barsize })
  return {
    show({ done, rows }: UsersProgress): void {
      if (bar.isActive) bar.update(done)
      else bar.start(rows, done)
    },
    stop: () => bar.stop(),
  }
}
