import { SingleBar } from 'cli-progress'
import { CatalogueError, exitCodes } from '../../../errors.ts'
import { createUsers, type CreateUsersReport, type UsersProgress } from '../../../users/create-users.ts'
import { InvalidUserRows, planUsers, toResultsPath } from '../../../users/plan-users.ts'
import { type CommandGroup, defineCommand, type InputOf } from '../../command.ts'
import { readEnvFiles } from '../../env-file.ts'
import { argument, choice, flag, option } from '../../parameter.ts'
import { barWidth } from '../../progress/progress-line.ts'
import { renderError, toErrorJson } from '../../render/render-error.ts'
import { renderPlannedUsers, renderRowProblems, renderUsersReport, summarizePlan } from '../../render/render-users.ts'
import { colorsFor, print, log, type Terminal, writeJson } from '../../terminal.ts'
import { inTermsOfVariables, readServiceAccess } from '../../service-access.ts'
import { envOption, quietOption } from '../../shared-options.ts'
import { formatCount } from '../../../text/format-count.ts'

const options = {
  ...envOption,
  format: choice('<name>', 'the format, if the name of the file does not say it', ['csv', 'ndjson']),
  results: option('<file>', 'the outcome of each row, a line each; default FILE.results.ndjson'),
  dryRun: flag('show what would happen; sends nothing, writes nothing'),
  json: flag('write the outcome as JSON to standard output'),
  ...quietOption,
}

type Input = InputOf<typeof options> & { readonly file: string }

const create = defineCommand({
  description: 'Creates the users of a CSV or NDJSON file: checks every row first, and creates nobody twice.',
  arguments: { file: argument('<file>', 'a .csv, .tsv, .ndjson or .jsonl file, or - for standard input') },
  options,
  examples: [
    'catalogue-etl users create users.csv --dry-run',
    'catalogue-etl users create users.csv --env production.env',
  ],
  after: `CATALOGUE_URL, CATALOGUE_KEY_ID and CATALOGUE_KEY_SECRET say where and as whom.
A second run of the same file creates whom the first one did not.

Exit codes: 0 every row created or skipped, 1 unexpected failure, 2 usage, 3 rows are wrong (nothing was sent),
4 the service failed or refused rows, 5 results could not be written, 130 interrupted.`,
  async run(input, terminal) {
    try {
      return await (input.dryRun ? show(input, terminal) : send(input, terminal))
    } catch (error) {
      if (!(error instanceof InvalidUserRows)) throw error
      const colors = colorsFor(terminal.stderr, terminal.env)
      log(terminal, renderRowProblems(input.file, error.problems, colors))
      log(terminal, renderError(error, colors))
      if (input.json) writeJson(terminal, { ok: false, error: toErrorJson(error), problems: error.problems })
      return error.exitCode
    }
  },
})

export const usersCommand: CommandGroup = {
  description: 'Creates users on the service: the only thing that is written back.',
  examples: ['catalogue-etl users create users.csv'],
  commands: { create },
}

async function show(input: Input, terminal: Terminal): Promise<number> {
  const { file, format, results, json, quiet } = input
  const { stdin, signal } = terminal
  const { baseUrl } = readServiceAccess(['baseUrl'], await readEnvFiles(input.env ?? [], terminal))
  const users = await planUsers({ file, format, results, baseUrl, stdin, signal })
  if (json) writeJson(terminal, { ok: true, file, baseUrl, results: toResultsPath(input), users })
  else if (users.length > 0) print(terminal, renderPlannedUsers(users))
  if (!quiet) log(terminal, `${file}: ${summarizePlan(users)} at ${baseUrl}; nothing was sent`)
  return exitCodes.published
}

async function send(input: Input, terminal: Terminal): Promise<number> {
  const { file, format, results, json, quiet } = input
  const { stdin, stderr, signal } = terminal
  const env = await readEnvFiles(input.env ?? [], terminal)
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

/** Why not every user was created; null if all were. */
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
