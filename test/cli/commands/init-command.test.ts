import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { BuiltCli } from '../built-cli.ts'
import { runInFolder, runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'
import { cases } from '../../depth.ts'

let cli: BuiltCli
let folder: RunFolder

beforeAll(async () => {
  cli = await BuiltCli.build()
  folder = await RunFolder.create()
  await folder.generate('export.ndjson', 'v4/product', cases(300, 120))
  await folder.generate('brands.ndjson', 'v4/brand', 20)
  await folder.generate('list.ndjson', 'v4/brand', 20)
  await folder.write('packed.ndjson.gz', gzipSync(await readFile(folder.at('export.ndjson'))))
})
afterAll(() => folder.remove())

/** Runs a command as shipped, in the folder, without a terminal. */
const start = (...args: string[]) => cli.start(args, { cwd: folder.path }).end()

/** Runs a command in this process, as if in the folder; removes the folder's path from its messages. */
async function call(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const [command = '', ...rest] = args.map((arg) => (/^\w+(?:\/\w+)*\.\w+|^\*/.test(arg) ? folder.at(arg) : arg))
  const out = command === 'init' || command === 'check' || args.includes('--out') ? [] : ['--out', folder.out]
  const { exitCode, stdout, stderr } = await runInMemory([command, ...rest, ...out], { log: 'default' })
  return { code: exitCode, stdout, stderr: stderr.replaceAll(`${folder.path}/`, '') }
}

/** The tables of a run, without run ids. */
async function readTables(of: string): Promise<Record<string, string>> {
  const all = Object.entries(await folder.readOutputs())
  const tables = all.filter(([name]) => name.startsWith(`${of}/`) && /\.(?:csv|parquet)$/.test(name))
  return Object.fromEntries(
    tables.map(([name, content]) => [name.slice(of.length), content.replaceAll(/[0-9a-f]{32}/g, '')]),
  )
}

describe('a bare export', () => {
  test('run of a bare export gives the same bytes as with the config that init writes, and says so', async () => {
    const bare = await start('run', 'export.ndjson')
    expect({ code: bare.code, stdout: bare.stdout }).toEqual({ code: 0, stdout: '' })
    expect(bare.stderr).toContain(
      [
        'export.ndjson: no config, used what `init` would write',
        '  contract  v4/product, recognized by 283 of its fields in the first 100 records',
        '  tables    23',
        '  locales   nl, fr, en, de, en_AU',
        '  outputs   Parquet and CSV',
        '  change    `catalogue-etl init export.ndjson` writes the config',
        '',
      ].join('\n'),
    )
    const expected = await readTables('export')
    const manifest = JSON.parse(await readFile(folder.at('out/export/_manifest.json'), 'utf8')) as object
    expect(Object.keys(expected)).toHaveLength(46)
    const written = await runInFolder(folder.path, ['init', 'export.ndjson', '--yes'])
    expect(written).toMatchObject({ code: 0, stdout: '' })
    expect(written.stderr).toContain('export.yaml: written\n  contract  v4/product, ')
    expect(written.stderr).toContain('Next: `catalogue-etl preview export.yaml`, `catalogue-etl run export.yaml`')
    expect(await runInFolder(folder.path, ['check', 'export.yaml'])).toMatchObject({
      code: 0,
      stderr: 'export.yaml: no problem\n',
    })
    expect(await runInFolder(folder.path, ['run', 'export.yaml'])).toMatchObject({ code: 0 })
    expect(await readTables('export')).toEqual(expected)
    const after = JSON.parse(await readFile(folder.at('out/export/_manifest.json'), 'utf8')) as object
    expect(after).toMatchObject({ configHash: (manifest as { configHash: string }).configHash })
    const again = await runInFolder(folder.path, ['preview', 'export.ndjson', '--rows', '1'])
    expect(again.stderr).toContain('  change    export.yaml is there: `catalogue-etl run export.yaml`')
  })

  test('preview, plan, verify and the commands on rejects take an export, too', async () => {
    expect((await call('run', 'packed.ndjson.gz', '--quiet')).stderr).toBe('')
    const preview = await call('preview', 'packed.ndjson.gz', '--table', 'products', '--rows', '1')
    expect(preview).toMatchObject({ code: 0, stdout: expect.stringContaining('products') })
    expect(preview.stderr).toContain('packed.ndjson.gz` writes the config')
    expect(await call('plan', 'packed.ndjson.gz')).toMatchObject({ code: 0 })
    expect(await call('verify', 'packed.ndjson.gz')).toMatchObject({ code: 0 })
    expect(await call('rejects', 'show', 'packed.ndjson.gz')).toMatchObject({ code: 0 })
    expect(await call('report', 'packed.ndjson.gz')).toMatchObject({ code: 0 })
  })

  test('several files and a glob become one pipeline, beside those of configs', async () => {
    const { code, stderr } = await call(
      'run',
      '*.ndjson.gz',
      '--limit',
      '5',
      '--out',
      folder.at('sample'),
      '--contract',
      'v4/product',
    )
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('as --contract says') })
    const both = await call('preview', 'export.ndjson', 'packed.ndjson.gz', '--rows', '1', '--json')
    expect(both).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^export\.ndjson, packed\.ndjson\.gz: no config/),
    })
    const apart = await call('preview', 'export.ndjson', 'brands.ndjson')
    expect(apart).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected v4/product, as in export.ndjson'),
    })
  })

  test('run refuses a file that is no export, --contract with a config, and an export of unclear contract', async () => {
    const table = await call('run', 'prices.csv')
    expect(table).toMatchObject({ code: 2, stderr: expect.stringContaining('got a .csv file') })
    await call('init', 'brands.ndjson', '--to', 'b.yaml')
    const config = await call('run', 'b.yaml', '--contract', 'v4/brand')
    expect(config).toMatchObject({ code: 2, stderr: expect.stringContaining('got it for a config') })
    const doubt = await call('run', 'list.ndjson')
    expect(doubt).toMatchObject({ code: 2, stderr: expect.stringContaining('--contract v4/active-ingredient') })
    expect(await call('run', 'missing.ndjson')).toMatchObject({ code: 4 })
    expect(await call('describe', 'brands.ndjson')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('brands.ndjson: expected a config, got an export\n  Try: `catalogue-etl init'),
    })
    const named = await call('run', 'brands.ndjson')
    expect(named).toMatchObject({ code: 0, stderr: expect.stringContaining('and by the name of the file') })
  })

  test('the config drafted for an export is an event with --log json', async () => {
    const { stderr } = await call('run', 'brands.ndjson', '--log', 'json')
    const [event = ''] = stderr.split('\n')
    expect(JSON.parse(event)).toMatchObject({ event: 'config.drafted', contract: 'v4/brand', tables: ['brands'] })
  })
})

describe('init', () => {
  test('replaces no file without --force', async () => {
    await folder.write('taken.yaml', 'mine')
    const refused = await call('init', 'export.ndjson', '--to', 'taken.yaml')
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('OUTPUT_REFUSED A file is there already'),
    })
    expect(await readFile(folder.at('taken.yaml'), 'utf8')).toBe('mine')
    expect(await call('init', 'export.ndjson', '--to', 'taken.yaml', '--force')).toMatchObject({ code: 0 })
    expect(await readFile(folder.at('taken.yaml'), 'utf8')).toContain('\nname: taken #')
  })

  test('without a terminal it takes the defaults and says so', async () => {
    const { code, stderr } = await call('init', 'export.ndjson', '--to', 'sub/quiet.yaml')
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^note: there is no terminal to ask in/),
    })
    expect(await call('check', 'sub/quiet.yaml')).toMatchObject({ code: 0 })
    expect(await call('init')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('`catalogue-etl init export.ndjson`'),
    })
  })

  test('with --to - it writes the config to standard output, and no file', async () => {
    const { code, stdout, stderr } = await call('init', 'v4/brands', '--to', '-', '--yes')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^# yaml-language-server: \$schema=\S+pipeline\.schema\.json\n# Brands of v4 from v4\/brands\/query\.\n/,
    )
    expect(stdout).toContain('  endpoint: v4/brands/query\n')
  })

  test('for an endpoint it writes the names of the variables, and keeps an existing .env.example', async () => {
    const first = await call('init', 'v4/products', '--yes', '--to', 'products.yaml')
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('.env.example: written') })
    const env = await readFile(folder.at('.env.example'), 'utf8')
    expect(env.match(/^[A-Z_]+=.*$/gm)).toEqual(['CATALOGUE_URL=', 'CATALOGUE_KEY_ID=', 'CATALOGUE_KEY_SECRET='])
    expect(await call('check', 'products.yaml')).toMatchObject({ code: 0 })
    await folder.write('.env.example', 'CATALOGUE_URL=\n')
    const second = await call('init', 'v4/media', '--yes', '--to', 'media.yaml')
    expect(second.stderr).toContain('.env.example: kept as it was, without CATALOGUE_KEY_ID, CATALOGUE_KEY_SECRET')
    expect(await readFile(folder.at('.env.example'), 'utf8')).toBe('CATALOGUE_URL=\n')
  })

  test('the config of an endpoint runs as it is, with the variables of .env.example filled in', async () => {
    const sandbox = await startSandbox({ products: 20, rateLimit: false })
    try {
      await call('init', 'v4/products', '--yes', '--to', 'run/service.yaml')
      const names = await readFile(folder.at('run/.env.example'), 'utf8')
      const { baseUrl, keyId, keySecret } = sandbox
      const env = [`CATALOGUE_URL=${baseUrl}`, `CATALOGUE_KEY_ID=${keyId}`, `CATALOGUE_KEY_SECRET=${keySecret}`]
      const filled = env.reduce((text, line) => text.replace(line.replace(/=.*/, '='), line), names)
      await folder.write('run/.env', filled)
      const { code, stderr } = await call('run', 'run/service.yaml', '--env', folder.at('run/.env'))
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('20 products, none lost on the way'),
      })
    } finally {
      await sandbox.close()
    }
  })

  test('it refuses a config, a table, and several endpoints', async () => {
    expect(await call('init', 'export.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('got a config'),
    })
    expect(await call('init', 'codes.csv')).toMatchObject({ code: 2, stderr: expect.stringContaining('a .csv file') })
    expect(await call('init', 'v4/brands', 'v4/media')).toMatchObject({ code: 2 })
    expect(await call('init', 'v4/brnds')).toMatchObject({ code: 2, stderr: expect.stringContaining('v4/brands') })
  })
})

test.each([
  ['validate', 'check'],
  ['lint', 'check'],
  ['test', 'check'],
  ['convert', 'run'],
  ['export', 'run'],
  ['import', 'run'],
  ['start', 'run'],
  ['inspect', 'profile'],
  ['show', 'preview'],
  ['retry', 'rejects replay'],
])('the unknown command %s names %s', async (word, command) => {
  const { exitCode, stderr } = await runInMemory([word, 'x.yaml'])
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: `USAGE The command was not understood\n  unknown command '${word}'; "${command}" does that\n  Try: See \`catalogue-etl ${command} --help\`.\n`,
  })
})

test('a file in place of a command suggests run', async () => {
  const { exitCode, stderr } = await runInMemory(['export.ndjson'])
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Try: `catalogue-etl run export.ndjson`'),
  })
})
