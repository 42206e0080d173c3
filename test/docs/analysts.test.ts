import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorDefinitions } from '../../src/errors.ts'
import { BuiltCli } from '../cli/built-cli.ts'
import { forcedWorkers } from '../forced-workers.ts'

const page = await readFile(join(import.meta.dirname, '../../docs/analysts.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', content = '']) => ({
  language,
  content,
}))

let folder: string
let bin: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'analysts-'))
  bin = join(folder, 'bin')
  await mkdir(bin)
  const { path } = await BuiltCli.build()
  await writeFile(join(bin, 'catalogue-etl'), `#!/bin/sh\nexec '${process.execPath}' '${path}' "$@"\n`)
  await chmod(join(bin, 'catalogue-etl'), 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs the commands of a block as a reader types them; both outputs as they come. */
function runShell(commands: string): Promise<{ readonly code: number; readonly said: string }> {
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

describe('docs/analysts.md', () => {
  test('every command of the page for analysts does what the page says, in its order', async () => {
    for (const [at, { language, content }] of blocks.entries()) {
      const [, file] = /^# (\S+\.yaml)\n/.exec(content) ?? []
      if (language === 'yaml' && file !== undefined) await writeFile(join(folder, file), content)
      if (language !== 'sh') continue
      const next = blocks[at + 1]
      const shown = next?.language === 'text' ? next.content : ''
      const { code, said } = await runShell(content)
      expect({ content, said, code }).toEqual({ content, said, code: toExitCode(shown) })
      // A line of dots leaves out what is between.
      for (const part of shown.split(/^\s*…\n/m)) expect(withoutTimes(said)).toContain(withoutTimes(part).trimEnd())
    }
  })

  test('each task of the page for analysts fits on a screen', () => {
    const tasks = page.split(/^## /m).slice(1)
    expect(tasks.map((task) => [task.split('\n')[0], task.split('\n').length < 75])).toEqual(
      tasks.map((task) => [task.split('\n')[0], true]),
    )
  })

  test('no line that the page for analysts shows is wider than a terminal', () => {
    const lines = blocks.filter(({ language }) => language === 'text').flatMap(({ content }) => content.split('\n'))
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })
})
