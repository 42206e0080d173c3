import { Command, CommanderError } from 'commander'
import { readToolVersion } from '../engine/run-report.ts'
import { CatalogueError, exitCodes, toCatalogueError } from '../errors.ts'
import { createCheckCommand } from './check-command.ts'
import { createDemoCommand } from './demo-command.ts'
import { createEndpointsCommand } from './endpoints-command.ts'
import { createFetchCommand } from './fetch-command.ts'
import { createGenerateCommand } from './generate-command.ts'
import { createPlanCommand } from './plan-command.ts'
import { createPreviewCommand } from './preview-command.ts'
import { renderError, toErrorJson, toProblemJson } from './render-error.ts'
import { InvalidConfigs } from './require-plans.ts'
import { createRunCommand } from './run-command.ts'
import { createSandboxCommand } from './sandbox-command.ts'
import { colorsFor, say, writeJson, type Finish, type Terminal } from './terminal.ts'
import { createUsersCommand } from './users-command.ts'

/** Runs one command line and resolves with the exit code; whatever fails is said on stderr, never thrown. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.published
  const program = createProgram(terminal, (code) => (exitCode = code))
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return report(error, argv, terminal)
  }
}

function createProgram(terminal: Terminal, finish: Finish): Command {
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
  const commands = [
    createRunCommand(terminal, finish),
    createCheckCommand(terminal, finish),
    createPlanCommand(terminal),
    createPreviewCommand(terminal),
    createFetchCommand(terminal),
    createEndpointsCommand(terminal),
    createGenerateCommand(terminal),
    createSandboxCommand(terminal, finish),
    createUsersCommand(terminal, finish),
    createDemoCommand(terminal, finish),
  ]
  for (const command of commands) program.addCommand(command)
  for (const command of [program, ...commands, ...commands.flatMap((parent) => parent.commands)]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: () => undefined,
    })
  }
  return program
}

/** Says why a command failed, on stderr, and with `--json` on stdout too: scripts read one document in every case. */
function report(error: unknown, argv: readonly string[], terminal: Terminal): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.published
  if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage
  const failure = error instanceof CommanderError ? toUsageError(error, argv) : toCatalogueError(error)
  say(terminal, renderError(failure, colorsFor(terminal.stderr, terminal.env)))
  if (argv.includes('--json')) {
    const problems = failure instanceof InvalidConfigs ? failure.problems : []
    writeJson(terminal, { ok: false, error: toErrorJson(failure), problems: problems.map(toProblemJson) })
  }
  return failure.exitCode
}

function toUsageError(error: CommanderError, argv: readonly string[]): CatalogueError {
  const said = error.message.replace(/^error: /, '').replace(/\n\(Did you mean (.*)\?\)$/, '; did you mean "$1"?')
  // The option takes all that follows.
  const isSwallowed = error.code === 'commander.missingArgument' && argv.includes('--from')
  const message = isSwallowed ? `${said}: put --from after the configs` : said
  return new CatalogueError('USAGE', message, { cause: error })
}
