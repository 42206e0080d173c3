import { Readable, Writable } from 'node:stream'
import { CommanderError } from 'commander'
import { CatalogueError, exitCodes, toCatalogueError } from '../../errors.ts'
import { formatCount } from '../../text/format-count.ts'
import { renderError } from '../render/render-error.ts'
import { colorsFor, type Terminal } from '../terminal.ts'
import { toCommander } from '../to-commander.ts'
import { toUsageError } from '../usage-error.ts'
import { listParameters, toArgv, type Tool } from './tools.ts'

export interface ToolResult {
  /** What the command printed, the data first. */
  readonly text: string
  /** True if the command could not do its work; false also for a run that refuses what it read, which is an answer. */
  readonly isError: boolean
}

/** The most characters of a result: assistants pay for each. */
const mostCharacters = 60_000

/** Calls a command as its command line would, and resolves with what it printed. Never rejects. */
export async function callTool(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  { env, signal }: Pick<Terminal, 'env' | 'signal'>,
): Promise<ToolResult> {
  const [stdout, stderr] = [new CutText(), new CutText()]
  const terminal: Terminal = {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: { ...env, NO_COLOR: '1' },
    signal,
    refusesCode: true,
  }
  let exitCode: number = exitCodes.published
  try {
    refuseCode(tool, input)
    const program = toCommander(tool.name, tool.command, terminal, (code) => (exitCode = code))
    program.exitOverride().configureOutput({ writeErr: () => undefined, outputError: () => undefined })
    await program.parseAsync(toArgv(tool, input), { from: 'user' })
  } catch (thrown) {
    const error =
      thrown instanceof CommanderError
        ? toUsageError(thrown, [tool.name], { [tool.name]: tool.command })
        : toCatalogueError(thrown)
    exitCode = error.exitCode
    stderr.write(renderError(error, colorsFor(stderr, terminal.env)))
  }
  const text = [stdout.text, stderr.text].filter((part) => part !== '').join('\n')
  const isAnswer = exitCode === exitCodes.published || exitCode === exitCodes.tooManyRejects
  return { text: text === '' ? 'nothing to tell' : text, isError: !isAnswer }
}

/** Throws USAGE if an argument is a config in TypeScript or JavaScript. */
function refuseCode(tool: Tool, input: Readonly<Record<string, unknown>>): void {
  const code = listParameters(tool)
    .filter(({ isArgument }) => isArgument)
    .flatMap(({ key }) => [input[key]].flat())
    .find((value): value is string => typeof value === 'string' && /\.[cm]?[jt]s$/i.test(value))
  if (code === undefined) return
  throw new CatalogueError('USAGE', `${code}: expected a config in YAML or JSON, got one that is code`, {
    fix: 'Tools run no code of files. Write the config in YAML.',
  })
}

/** Keeps the beginning of what is written to it. */
class CutText extends Writable {
  #text = ''
  #left = 0

  constructor() {
    super({ decodeStrings: false })
  }

  get text(): string {
    if (this.#left === 0) return this.#text
    return `${this.#text}\n… cut: ${formatCount(this.#left)} more characters. Ask for less: fewer rows, one table, one column.`
  }

  override _write(chunk: string | Buffer, _: BufferEncoding, done: () => void): void {
    const all = this.#text + chunk.toString()
    this.#text = all.slice(0, mostCharacters)
    this.#left += all.length - this.#text.length
    done()
  }
}
