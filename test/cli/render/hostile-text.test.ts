import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runInMemory, type CliResult } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

/** Text that clears the screen, rings the bell, renames the window, reverses text, or begins another line. */
const hostile = 'x\u001b[2J\u001b]0;t\u0007\u009b31m\u0085\u202eabc\u2066\u200f\u2028\r\ny'
/** Control characters except line breaks, and direction marks. */
const raw = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const color = new RegExp(String.raw`\u001b\[(?:\d+m|[01][GJK]|\?\d+[hl])`, 'g')

let folder: RunFolder
let config: string

beforeAll(async () => {
  folder = await RunFolder.create()
  const record = {
    id: `M${hostile}`,
    name: { nl: hostile, [hostile]: 'a' },
    status: hostile,
    cnk: hostile,
    [hostile]: 1,
  }
  const lines = [record, { ...record, id: `R${hostile}`, vat: hostile }, { id: 'A' }]
  await folder.write('input.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const files = JSON.stringify(folder.at('input.ndjson'))
  config = await folder.write('hostile.yaml', `name: hostile\nsource: { files: ${files}, contract: v4/product }\n`)
})
beforeEach(() => rm(folder.out, { recursive: true, force: true }))
afterAll(() => folder.remove())

describe('text from data, configs and files reaches a terminal without a raw control character', () => {
  const commands: [string, () => Promise<readonly string[]>][] = [
    ['run', () => Promise.resolve(['run', config, '--out', folder.out, '--set', 'rejects.limit=2'])],
    ['run that is refused', () => Promise.resolve(['run', config, '--out', folder.out])],
    ['preview', () => Promise.resolve(['preview', config])],
    ['plan', () => Promise.resolve(['plan', config])],
    ['check', async () => ['check', await writeWrongConfig()]],
    ['plan of a wrong config', async () => ['plan', await writeWrongConfig()]],
    ['run of a file that is not there', () => Promise.resolve(['run', `no${hostile}.yaml`])],
    ['an option that is unknown', () => Promise.resolve(['run', `--no${hostile}`])],
    ['users create', async () => ['users', 'create', await writeUsers(), '--dry-run']],
  ]

  test.each(commands)('text from outside reaches a terminal without a raw control character: %s', async (_, argv) => {
    const args = await argv()
    const written = [await runInMemory(args), await runInMemory(args, { isTTY: true })]
    for (const { stdout, stderr } of written) {
      expect(stdout + stderr).not.toBe('')
      expect((stdout + stderr).replaceAll(color, '')).not.toMatch(raw)
    }
  })

  test('a report on a terminal names unexpected fields, escaped', async () => {
    await folder.write('ok.ndjson', `${JSON.stringify({ id: 'A', [hostile]: 1, name: { [hostile]: 'a' } })}\n`)
    const files = JSON.stringify(folder.at('ok.ndjson'))
    const path = await folder.write('ok.yaml', `name: ok\nsource: { files: ${files}, contract: v4/product }\n`)
    const { stderr }: CliResult = await runInMemory(['run', path, '--out', folder.out])
    expect(stderr.replaceAll(/\n +/g, ' ')).toContain(
      String.raw`field x\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}31m\u{85}\u{202e}abc\u{2066}\u{200f}\u{2028}\u{d}\u{a}y 1×`,
    )
  })

  test('a report on a terminal names repeated keys, escaped', async () => {
    const member = `${JSON.stringify(hostile)}:1`
    await folder.write('ok.ndjson', `{"id":"A","cnk":"1","cnk":"2",${member},${member}}\n`)
    const files = JSON.stringify(folder.at('ok.ndjson'))
    const path = await folder.write('ok.yaml', `name: ok\nsource: { files: ${files}, contract: v4/product }\n`)
    const { stderr }: CliResult = await runInMemory(['run', path, '--out', folder.out])
    expect(stderr).toMatch(/! 2 keys repeated, the last one counts: cnk 1×,\s+x\\u\{1b\}/)
  })

  test('colors in errors, problems and paths from outside are shown as text on a terminal that has colors', async () => {
    const colored = 'a\u001b[31mb\u001b[8mc'
    const shown = String.raw`a\u{1b}[31mb\u{1b}[8mc`
    await folder.write('ok.ndjson', '{"id":"A"}\n')
    const source = `source: { files: ${JSON.stringify(folder.at('ok.ndjson'))}, contract: v4/product }\n`
    const outputs = `outputs: [{ format: csv, path: ${JSON.stringify(`${colored}/{table}.csv`)} }]\n`
    const path = await folder.write('ok.yaml', `name: ok\n${source}${outputs}`)
    const wrong = await folder.write(
      'wrong.yaml',
      `name: wrong\n${source}tables: { p: { columns: [${JSON.stringify(colored)}] } }\n`,
    )
    for (const argv of [
      ['run', path, '--out', folder.out],
      ['check', wrong],
      ['run', `${colored}.yaml`],
    ]) {
      const { stderr } = await runInMemory(argv, { isTTY: true })
      expect(stderr).toContain(shown)
      expect(stderr).not.toContain(colored)
    }
  })

  test('text from outside hides nothing on a terminal that has colors', async () => {
    const source = 'source: { files: "a\\e[8mb", contract: v4/product }\n'
    const { stdout } = await runInMemory(['plan', await folder.write('ok.yaml', `name: ok\n${source}`)], {
      isTTY: true,
    })
    expect(stdout).toContain(String.raw`a\u{1b}[8mb`)
  })

  test('a JSON document on a terminal has control characters escaped, and the same value', async () => {
    const { stdout } = await runInMemory(['preview', config, '--json'])
    expect(stdout).not.toMatch(raw)
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(hostile).slice(1, -1))
  })
})

function writeWrongConfig(): Promise<string> {
  const text = JSON.stringify(hostile)
  return folder.write('wrong.yaml', `name: wrong\n${text}: 1\nsource: { files: ${text}, contract: ${text} }\n`)
}

function writeUsers(): Promise<string> {
  return folder.write('users.csv', `email,firstName,"${hostile}"\n"${hostile}",a,b\n`)
}
