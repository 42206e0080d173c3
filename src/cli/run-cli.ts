import { Command, CommanderError } from 'commander'
import { readToolVersion } from '../package-file.ts'
import { type CatalogueError, exitCodes, toCatalogueError } from '../errors.ts'
import { renderError, toErrorJson } from './render/render-error.ts'
import { toFailureDocument } from './load-pipelines.ts'
import { createRunCommand } from './commands/run-command.ts'
import { colorsFor, columnsOf, logEvent, toShown, writeJson, type Finish, type Terminal } from './terminal.ts'
import { withEventLog } from './log/event-log.ts'

/** Runs one command line and resolves with the exit code; whatever fails is said on stderr, never thrown. */
export async function runCli(argv: readonly string[], outside: Terminal): Promise<number> {
  const terminal = withEventLog(argv, outside)
  let exitCode: number = exitCodes.published
  try {
    const program = await createProgram(argv, terminal, (code) => (exitCode = code))
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return await report(error, argv, terminal)
  }
}

async function createProgram(argv: readonly string[], terminal: Terminal, finish: Finish): Promise<Command> {
  const { version } = readToolVersion()
  const program = new Command('catalogue-etl')
    .description(
      'Turns exports of the Product Catalogue Data Service into CSV, Parquet and NDJSON, and proves that nothing is missing.',
    )
    .version(version)
    .addHelpText(
      'after',
      '\nExample:\n  $ catalogue-etl generate --records 1000 --to data/products.ndjson\n  $ catalogue-etl run pipelines/products.yaml --from data/products.ndjson',
    )
  const creators = await Promise.all(chooseCommands(argv).map((load) => load()))
  const commands = creators.map((create) => create(terminal, finish))
  for (const command of commands) program.addCommand(command)
  for (const command of [program, ...commands, ...commands.flatMap((parent) => parent.commands)]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.stdout.write(toShown(text, terminal.stdout, terminal.env)),
      writeErr: (text) => terminal.stderr.write(toShown(text, terminal.stderr, terminal.env)),
      outputError: () => undefined,
      getOutHelpWidth: () => columnsOf(terminal.stdout) ?? helpWidth,
      getErrHelpWidth: () => columnsOf(terminal.stderr) ?? helpWidth,
    })
  }
  return program
}

/** Columns of help that goes into a file or a pipe. */
const helpWidth = 80

type CreateCommand = (terminal: Terminal, finish: Finish) => Command

/** Loaded when they are asked for, but that which is in a hurry: all of them take as long to load as a small run takes. */
const commandLoaders = new Map<string, () => Promise<CreateCommand>>([
  ['run', async () => createRunCommand],
  ['init', async () => (await import('./commands/init-command.ts')).createInitCommand],
  ['check', async () => (await import('./commands/check-command.ts')).createCheckCommand],
  ['plan', async () => (await import('./commands/plan-command.ts')).createPlanCommand],
  ['ddl', async () => (await import('./commands/ddl-command.ts')).createDdlCommand],
  ['shards', async () => (await import('./commands/shards-command.ts')).createShardsCommand],
  ['describe', async () => (await import('./commands/describe-command.ts')).createDescribeCommand],
  ['schema', async () => (await import('./commands/schema-command.ts')).createSchemaCommand],
  ['preview', async () => (await import('./commands/preview-command.ts')).createPreviewCommand],
  ['backfill', async () => (await import('./commands/backfill-command.ts')).createBackfillCommand],
  ['verify', async () => (await import('./commands/verify-command.ts')).createVerifyCommand],
  ['profile', async () => (await import('./commands/profile-command.ts')).createProfileCommand],
  ['trace', async () => (await import('./commands/trace-command.ts')).createTraceCommand],
  ['diff', async () => (await import('./commands/diff-command.ts')).createDiffCommand],
  ['rejects', async () => (await import('./commands/rejects-command.ts')).createRejectsCommand],
  ['report', async () => (await import('./commands/report-command.ts')).createReportCommand],
  ['state', async () => (await import('./commands/state-command.ts')).createStateCommand],
  ['fetch', async () => (await import('./commands/fetch-command.ts')).createFetchCommand],
  ['media', async () => (await import('./commands/media-command.ts')).createMediaCommand],
  ['endpoints', async () => (await import('./commands/endpoints-command.ts')).createEndpointsCommand],
  ['doctor', async () => (await import('./commands/doctor-command.ts')).createDoctorCommand],
  ['generate', async () => (await import('./commands/generate-command.ts')).createGenerateCommand],
  ['sandbox', async () => (await import('./commands/sandbox-command.ts')).createSandboxCommand],
  ['users', async () => (await import('./commands/users-command.ts')).createUsersCommand],
  ['demo', async () => (await import('./commands/demo-command.ts')).createDemoCommand],
])

/** The one that the command line begins with; all of them, for help and suggestions, where it begins otherwise. */
function chooseCommands([name = '']: readonly string[]): (() => Promise<CreateCommand>)[] {
  const load = commandLoaders.get(name)
  return load === undefined ? [...commandLoaders.values()] : [load]
}

/** Says why a command failed, on stderr, and with `--json` on stdout too: scripts read one document in every case. */
async function report(error: unknown, argv: readonly string[], terminal: Terminal): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.published
  if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage
  const failure = error instanceof CommanderError ? await readUsage(error, argv) : toCatalogueError(error)
  const event = { level: 'error', event: 'command.failed', ...toErrorJson(failure) } as const
  logEvent(terminal, event, () => renderError(failure, colorsFor(terminal.stderr, terminal.env)))
  if (argv.includes('--json')) writeJson(terminal, toFailureDocument(failure))
  return failure.exitCode
}

/** Loads what only mistakes need. */
async function readUsage(error: CommanderError, argv: readonly string[]): Promise<CatalogueError> {
  const { toUsageError } = await import('./usage-error.ts')
  return toUsageError(error, argv, commandLoaders)
}
