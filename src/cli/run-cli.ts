import { Command, CommanderError } from 'commander'
import { readToolVersion } from '../engine/run-report.ts'
import { CatalogueError, exitCodes, toCatalogueError } from '../errors.ts'
import { createCheckCommand } from './check-command.ts'
import { createDemoCommand } from './demo-command.ts'
import { createEndpointsCommand } from './endpoints-command.ts'
import { createGenerateCommand } from './generate-command.ts'
import { createPlanCommand } from './plan-command.ts'
import { createPreviewCommand } from './preview-command.ts'
import { renderError } from './render-error.ts'
import { createRunCommand } from './run-command.ts'
import { colorsFor, say, type Terminal } from './terminal.ts'

/** What a command's action tells `runCli`: the exit code of the process. */
export type Finish = (exitCode: number) => void

/** Runs one command line and resolves with the exit code; whatever fails is said on stderr, never thrown. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.published
  const program = createProgram(terminal, (code) => (exitCode = code))
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return report(error, terminal)
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
      '\nExample:\n  $ catalogue-etl generate --records 1000 --to data/products.ndjson\n  $ catalogue-etl run pipelines/products.yaml',
    )
  const commands = [
    createRunCommand(terminal, finish),
    createCheckCommand(terminal, finish),
    createPlanCommand(terminal),
    createPreviewCommand(terminal),
    createEndpointsCommand(terminal),
    createGenerateCommand(terminal),
    createDemoCommand(terminal, finish),
  ]
  for (const command of commands) program.addCommand(command)
  for (const command of [program, ...commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: () => undefined,
    })
  }
  return program
}

function report(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.published
    if (error.code === 'commander.help') return exitCodes.usage
    return report(new CatalogueError('USAGE', error.message.replace(/^error: /, ''), { cause: error }), terminal)
  }
  const failure = toCatalogueError(error)
  say(terminal, renderError(failure, colorsFor(terminal.stderr, terminal.env)))
  return failure.exitCode
}
