import { describe, expect, test } from 'vitest'
import { commands as table, formerCommands } from '../../src/cli/commands.ts'
import { readToolVersion } from '../../src/package-file.ts'
import { runInMemory } from './memory-terminal.ts'

const { stdout: help } = await runInMemory(['--help'])
const commands = Object.keys(table)

describe('help', () => {
  test('help names every command', () => {
    const named = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!)
    expect(named).toEqual([...commands, 'help'])
    expect(commands).toContain('run')
  })

  test('help is one screen', () => {
    expect(help.split('\n').length).toBeLessThanOrEqual(60)
  })

  test.each(commands)(
    'help of %s is on stdout, ends with 0 and has an example that works as written',
    async (command) => {
      for (const args of [
        [command, '--help'],
        ['help', command],
      ]) {
        const { exitCode, stdout, stderr } = await runInMemory(args)
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
        expect(stdout).toMatch(new RegExp(`^Usage: catalogue-etl ${command} `))
        expect(stdout).toMatch(new RegExp(`\nExample:\n {2}\\$ catalogue-etl ${command}`))
        for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
      }
    },
  )

  test.each(commands)('help of %s names in its example only options that exist', async (command) => {
    const { stdout } = await runInMemory([command, '--help'])
    const [, example = ''] = /Example:\n([\s\S]*?)(?:\n\n|$)/.exec(stdout) ?? []
    const options = [...example.matchAll(/--[a-z]+/g)].map(([option]) => option)
    const documented = stdout.slice(0, stdout.indexOf('Example:'))
    for (const option of options) expect(documented).toContain(option)
  })

  test('help of the program has an example and the version is that of the package', async () => {
    expect(help).toContain('\nExample:\n  $ catalogue-etl ')
    const { stdout, exitCode } = await runInMemory(['--version'])
    expect({ stdout, exitCode }).toMatchObject({ exitCode: 0 })
    expect(stdout.split('\n')).toEqual([
      readToolVersion().version,
      expect.stringMatching(/^kernel: (native code for \w+-\w+|WebAssembly|none, the reference path)/),
      '',
    ])
  })

  test('help is printed on stderr with 2 if no command is given', async () => {
    const { exitCode, stdout, stderr } = await runInMemory([])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('Usage: catalogue-etl')
  })
})

test.each(Object.entries(formerCommands))(
  '%s is understood under its former name, and says its new one',
  async (name, { instead }) => {
    const { exitCode, stdout, stderr } = await runInMemory([name, '--help'])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `\`${name}\` is now \`${instead}\`; its former name works for now\n`,
    })
    expect(stdout).toContain(`Usage: catalogue-etl ${name} `)
    expect(commands).not.toContain(name)
    const [command = '', ...rest] = instead.split(' ')
    const subcommands = command === 'sandbox' ? rest : []
    const now = await runInMemory([command, ...subcommands, '--help'])
    for (const word of rest.map((each) => each.replace(/^--/, ''))) expect(now.stdout).toContain(word)
  },
)

describe('a command line with a mistake', () => {
  test.each([
    [['run', '--from', 'a.ndjson', 'b.yaml'], "missing required argument 'config': put --from after the configs"],
    [['rnu'], 'unknown command \'rnu\'; did you mean "run"?'],
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['run'], "missing required argument 'config'"],
    [['run', 'a.yaml', '--jsn'], 'unknown option \'--jsn\'; did you mean "--json"?'],
    [['run', 'a.yaml', '--limit'], "option '--limit <n>' argument missing"],
    [['run', 'a.yaml', '--limit', '1.5'], "argument '1.5' is invalid. Expected a whole number, 1 or more."],
    [['run', 'a.yaml', '--limit', '-3'], "argument '-3' is invalid. Expected a whole number, 1 or more."],
    [['run', 'a.yaml', '--limit', '99999999999999999999'], 'Expected a whole number, 1 or more.'],
    [['plan', 'a.yaml', 'b.yaml'], "too many arguments for 'plan'. Expected 1 argument but got 2."],
    [['doctor', 'a.yaml', 'b.yaml'], "too many arguments for 'doctor'. Expected 1 argument but got 2."],
    [['--frob'], "unknown option '--frob'"],
  ])('a command line with a mistake ends with 2 and a hint: %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await runInMemory(args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    const advice = commands.includes(args[0]!)
      ? `See \`catalogue-etl ${args[0]} --help\`.`
      : 'See `catalogue-etl --help`, or `catalogue-etl <command> --help` for one command.'
    expect(stderr).toBe(`USAGE The command was not understood\n  ${stderr.split('\n')[1]!.trim()}\n  Try: ${advice}\n`)
    expect(stderr).toContain(message)
  })

  test('a command line with a mistake ends with 2 and a hint, as one JSON document with --json', async () => {
    for (const args of [
      ['run', '--json'],
      ['check', '--jsn', '--json'],
      ['rnu', '--json'],
    ]) {
      const { exitCode, stdout } = await runInMemory(args)
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'USAGE', exitCode }, problems: [] })
    }
  })
})

describe('endpoints', () => {
  test('endpoints lists the named endpoints, offered or not, and refuses an unknown name', async () => {
    const some = await runInMemory(['endpoints', 'v4/products/stream'])
    expect(some).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^v4\/products\/stream {2}POST, read as stream/),
    })
    expect(some.stdout).not.toContain('v4/products/query  ')
    const json = await runInMemory(['endpoints', 'v4/products/stream', 'v4/brands/query', '--json'])
    expect((JSON.parse(json.stdout) as { name: string }[]).map(({ name }) => name)).toEqual([
      'v4/products/stream',
      'v4/brands/query',
    ])
    const wrong = await runInMemory(['endpoints', 'v4/product/stream'])
    expect(wrong).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('did you mean "v4/products/stream"?'),
    })
  })
})

test.each([
  [['sandbox', '--port', '80x'], 'sandbox'],
  [['users', 'create'], 'users create'],
  [['users', 'creat', 'x.csv'], 'users'],
  [['endpoints', '--jsn'], 'endpoints'],
])('a wrong call of %j names the help of %s', async (args, command) => {
  const { exitCode, stderr } = await runInMemory(args)
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining(`See \`catalogue-etl ${command} --help\`.`),
  })
})

test.each([
  ['media', ['media', 'nothere.yaml', '--to', 'images']],
  ['shards commit', ['shards', 'commit', 'nothere']],
])('%s writes its log as lines of JSON with --log json', async (_, args) => {
  const { exitCode, stderr } = await runInMemory([...args, '--log', 'json'])
  expect(JSON.parse(stderr)).toMatchObject({ level: 'error', event: 'command.failed', exitCode })
})
