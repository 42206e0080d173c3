import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorDefinitions } from '../../src/errors.ts'
import { BuiltCli } from '../cli/built-cli.ts'
import { runInFolder } from '../cli/memory-terminal.ts'
import { forcedWorkers } from '../forced-workers.ts'

/** A page of docs/ whose commands are run as a reader types them, one behind the other. */
export class PageCommands {
  readonly text: string
  readonly blocks: readonly { readonly language: string; readonly content: string }[]

  private constructor(text: string) {
    this.text = text
    this.blocks = [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', content = '']) => ({
      language,
      content,
    }))
  }

  /** Of a page, or of its beginning up to a heading. */
  static async read(name: string, until?: string): Promise<PageCommands> {
    const text = await readFile(join(import.meta.dirname, '../../docs', name), 'utf8')
    return new PageCommands(until === undefined ? text : text.slice(0, text.indexOf(`\n${until}\n`)))
  }

  /** The blocks that name a file in their first line, by that name. */
  get files(): ReadonlyMap<string, string> {
    const named = this.blocks.flatMap(({ content }) => {
      const [, name] = /^(?:#|\/\/) (\S+\.\w+)\n/.exec(content) ?? []
      return name === undefined ? [] : [[name, content] as const]
    })
    return new Map(named)
  }

  /**
   * Writes the files and runs the blocks of `sh`. Gives the first command that does not say the text that follows it, or
   * ends otherwise than with the exit code of the error that is shown; null where there is none.
   */
  async findWrong(): Promise<object | null> {
    const folder = await mkdtemp(join(tmpdir(), 'page-'))
    try {
      const bin = await makeCommand(folder)
      for (const [at, { language, content }] of this.blocks.entries()) {
        for (const [name, text] of this.files) if (text === content) await writeFile(join(folder, name), text)
        if (language !== 'sh') continue
        const next = this.blocks[at + 1]
        const shown = next?.language === 'text' ? next.content : ''
        const { code, said } = await runBlock(content, folder, bin)
        const isEnd = code === toExitCode(shown)
        // A line of dots leaves out what is between.
        const missing = shown.split(/^\s*…\n/m).filter((part) => !holds(said, part))
        if (!isEnd || missing.length > 0) return { content, code, said, missing }
      }
      return null
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** The lines of output that it shows. */
  get shownLines(): string[] {
    return this.blocks.filter(({ language }) => language === 'text').flatMap(({ content }) => content.split('\n'))
  }
}

async function makeCommand(folder: string): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const { path } = await BuiltCli.build()
  await writeFile(join(bin, 'catalogue-etl'), `#!/bin/sh\nexec '${process.execPath}' '${path}' "$@"\n`)
  await chmod(join(bin, 'catalogue-etl'), 0o755)
  return bin
}

interface BlockEnd {
  readonly code: number
  readonly said: string
}

/** A line that needs no shell: its arguments are words, or text between single quotes. */
const plainCommand = /^catalogue-etl(?: (?:[\w./=%:,-]+|'[^']*'))*$/

/** Runs the commands of a block as a reader types them, in this process where they need no shell. */
async function runBlock(commands: string, folder: string, bin: string): Promise<BlockEnd> {
  const lines = commands.trim().split('\n')
  if (!lines.every((line) => plainCommand.test(line))) return runShell(commands, folder, bin)
  let said = ''
  for (const line of lines) {
    const { code, stdout, stderr } = await runInFolder(folder, splitCommand(line).slice(1), { env: { HOME: folder } })
    said += stderr + stdout
    if (code !== 0) return { code: code ?? 1, said }
  }
  return { code: 0, said }
}

function splitCommand(line: string): string[] {
  return (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))
}

/** Both outputs as they come. */
function runShell(commands: string, folder: string, bin: string): Promise<BlockEnd> {
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder, ...forcedWorkers }
  return new Promise((resolve) => {
    execFile('sh', ['-ec', `exec 2>&1\n${commands}`], { cwd: folder, env }, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout }),
    )
  })
}

/** The exit code of the error that the page shows; 0 where it shows none. */
function toExitCode(shown: string): number {
  const code = Object.entries(errorDefinitions).find(([name]) => new RegExp(`\\b${name}\\b`).test(shown))
  return code?.[1].exitCode ?? 0
}

/** Durations, speeds and times of files differ from run to run. */
function withoutTimes(text: string): string {
  const dates = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g
  return text
    .replaceAll(/\d+\.\d\d s\b/g, '0.00 s')
    .replaceAll(/\b\d+ MB\/s/g, '0 MB/s')
    .replaceAll(dates, '2026-01-01 00:00:00 UTC')
}

function holds(said: string, part: string): boolean {
  return withoutTimes(said).includes(withoutTimes(part).trimEnd())
}
