import { Command as Commander, CommanderError } from 'commander'
import { exitCodes, toCatalogueError } from '../errors.ts'
import { describeKernel } from '../records/memory/load-kernel.ts'
import { readToolVersion } from '../package-file.ts'
import type { Command } from './command.ts'
import { commandGroups, commands, formerCommands } from './commands.ts'
import { toFailureDocument } from './load-pipelines.ts'
import { withEventLog } from './log/event-log.ts'
import { renderError, toErrorJson } from './render/render-error.ts'
import { colorsFor, columnsOf, log, logEvent, type Terminal, toShown, writeJson } from './terminal.ts'
import { toCommander } from './to-commander.ts'
import { toUsageError } from './usage-error.ts'

export { exitCodes }

/** Runs one command line and resolves with the exit code. Failures are printed to stderr, never thrown. */
export async function runCli(argv: readonly string[], outside: Terminal): Promise<number> {
  let terminal = outside
  let loaded: LoadedCommands = {}
  let exitCode: number = exitCodes.published
  try {
    loaded = await loadCommands(argv)
    terminal = withEventLog(argv, findCommand(argv, loaded), outside)
    noteFormerName(argv, terminal)
    const program = createProgram(loaded, terminal, describeVersion(argv), (code) => (exitCode = code))
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return await report(error, argv, loaded, terminal)
  }
}

function noteFormerName([name = '']: readonly string[], terminal: Terminal): void {
  const former = Object.hasOwn(formerCommands, name) ? formerCommands[name] : undefined
  if (former !== undefined) log(terminal, `\`${name}\` is now \`${former.instead}\`; its former name works for now`)
}

type LoadedCommands = Readonly<Record<string, Command>>

/**
 * Loads the command that the command line begins with, or all of them, for help and suggestions, if there is no such
 * command.
 */
async function loadCommands([name = '']: readonly string[]): Promise<LoadedCommands> {
  const former = Object.hasOwn(formerCommands, name) ? formerCommands[name] : undefined
  if (former !== undefined) return { [name]: await former.load() }
  const all = Object.entries(commands)
  const chosen = Object.hasOwn(commands, name) ? all.filter(([own]) => own === name) : all
  const loaded = chosen.map(async ([own, load]) => [own, await load()] as const)
  return Object.fromEntries(await Promise.all(loaded))
}

/** The command or subcommand that a command line begins with; null if it names none. */
function findCommand([name = '', ...rest]: readonly string[], loaded: LoadedCommands): Command | null {
  const found = Object.hasOwn(loaded, name) ? loaded[name] : undefined
  if (found === undefined) return null
  return findCommand(rest, found.commands ?? {}) ?? found
}

/** The version of the package, and below it what the hot path runs on if that is asked for. */
function describeVersion([first]: readonly string[]): string {
  const { version } = readToolVersion()
  return first === '--version' || first === '-V' ? `${version}\nkernel: ${describeKernel()}` : version
}

function createProgram(
  loaded: LoadedCommands,
  terminal: Terminal,
  version: string,
  finish: (exitCode: number) => void,
): Commander {
  const program = new Commander('catalogue-etl')
    .description(
      'Turns exports of the Product Catalogue Data Service into CSV, Parquet and NDJSON, and proves that nothing is missing.',
    )
    .version(version)
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nExample:\n  $ catalogue-etl sandbox generate --records 1000 --to data/products.ndjson\n  $ catalogue-etl run pipelines/products.yaml --from data/products.ndjson',
    )
  const own = Object.entries(loaded).map(([name, command]) =>
    toCommander(name, command, terminal, finish).helpGroup(groupOf(name)),
  )
  for (const command of own) program.addCommand(command)
  if (own.length > 1) program.configureHelp({ subcommandTerm: (command) => command.name() })
  for (const command of [program, ...own, ...own.flatMap((parent) => parent.commands)]) {
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

const helpWidth = 80

function groupOf(name: string): string {
  const [group = 'Commands'] = Object.entries(commandGroups).find(([, own]) => Object.hasOwn(own, name)) ?? []
  return `${group}:`
}

/** Prints why a command failed to stderr and, with `--json`, to stdout too: scripts read one document in every case. */
async function report(
  error: unknown,
  argv: readonly string[],
  loaded: LoadedCommands,
  terminal: Terminal,
): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.published
  if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage
  const failure = error instanceof CommanderError ? toUsageError(error, argv, loaded) : toCatalogueError(error)
  const event = { level: 'error', event: 'command.failed', ...toErrorJson(failure) } as const
  logEvent(terminal, event, () => renderError(failure, colorsFor(terminal.stderr, terminal.env)))
  if (argv.includes('--json')) writeJson(terminal, toFailureDocument(failure))
  return failure.exitCode
}
