import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { runInMemory, type CliResult } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let sandbox: Sandbox
let config: string

beforeAll(async () => {
  folder = await RunFolder.create()
  sandbox = await startSandbox({ products: 30 })
  const source = `source: { endpoint: v4/products/stream, baseUrl: "\${CATALOGUE_URL}", keyId: ${sandbox.keyId}, keySecret: "\${SECRET}" }`
  const rest =
    'incremental: {}\nmaxRemoved: 100%\ntables: { products: { columns: [id] } }\noutputs: [{ format: ndjson }]'
  config = await folder.write('products.yaml', `name: products\n${source}\n${rest}\n`)
})
afterAll(async () => {
  await sandbox.close()
  await folder.remove()
})

const cli = (...args: string[]): Promise<CliResult> =>
  runInMemory([...args, '--out', folder.out], { env: { CATALOGUE_URL: sandbox.baseUrl, SECRET: sandbox.keySecret } })
const manifest = () => folder.at('out/products/_manifest.json')
const parse = ({ stdout }: CliResult) => JSON.parse(stdout) as Record<string, unknown>

describe('state', () => {
  test('state show has no state before the first run, and needs no secrets', async () => {
    const { exitCode, stdout } = await runInMemory(['state', 'show', config, '--out', folder.out])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('state     none')
    expect(stdout).toContain('next      everything, as no run before it published a state')
  })

  test('state show has the time of the last sync, the changes it found, and what the next run will request', async () => {
    const run = await cli('run', config, '--workers', '0')
    expect(run.stderr).toMatch(/read {6}everything\n/)
    expect(run.stderr).toMatch(/changes {3}\d+ new\n/)
    const { stdout } = await cli('state', 'show', config)
    expect(stdout).toMatch(/last {6}full, began at 20/)
    expect(stdout).toMatch(/next {6}what changed since 20/)
    const shown = parse(await cli('state', 'show', config, '--json'))
    expect(shown).toMatchObject({ pipeline: 'products', state: { kind: 'full' }, next: { kind: 'delta', until: null } })
  })

  test('state show wraps many tables onto several lines', async () => {
    const wide = await folder.write(
      'wide.yaml',
      (await readFile(config, 'utf8')).replace('name: products', 'name: wide').replace(/^tables: .*\n/m, ''),
    )
    await cli('run', wide, '--workers', '0')
    const { stdout } = await cli('state', 'show', wide)
    expect(stdout).toMatch(/\n {2}tables {4}products \(merge\), .*\n {12}product_/)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
  })

  test('state show of a delta without changes says that no row was read, not that the table is empty', async () => {
    const { stderr } = await cli('run', config, '--workers', '0')
    expect(stderr).toMatch(/\n {2}rows read products, 0 rows\n/)
  })

  test('a full refresh of a state reads everything again', async () => {
    const { stderr } = await cli('run', config, '--workers', '0', '--full-refresh')
    expect(stderr).toMatch(/changes {3}\d+ unchanged\n/)
  })

  test('a backfill of a state fills in windows, and says what it found', async () => {
    const args = ['--from', '2015-01-01', '--window', '3000d', '--json']
    const result = await cli('backfill', config, ...args)
    expect(result.exitCode).toBe(0)
    expect(result.stderr).toMatch(/products: window 1 of 2, 2015-01-01T00:00:00\.000Z to /)
    expect(result.stderr).toMatch(/products: 2 windows: \d+ unchanged\n/)
    expect(parse(result)).toMatchObject({
      ok: true,
      reports: [{ state: { kind: 'delta' } }, { state: { kind: 'delta' } }],
    })
  })

  test('a backfill of a state takes --to, the former name of --until', async () => {
    const span = ['--from', '2024-01-01', '--window', '3000d', '--json']
    const [former, now] = [
      await cli('backfill', config, ...span, '--to', '2024-02-01'),
      await cli('backfill', config, ...span, '--until', '2024-02-01'),
    ]
    expect([former.exitCode, now.exitCode]).toEqual([0, 0])
    for (const { stderr } of [former, now])
      expect(stderr).toMatch(/window 1 of 1, 2024-01-01T.* to 2024-02-01T23:59:59/)
  })

  test.each([
    [['--from', '2024-13-01'], /^.*--from: expected a date-time [^"]*got text "2024-13-01"$/m],
    [['--from', '2024-01-01', '--window', '0d'], /'--window <duration>' argument '0d' is invalid. Expected a duration/],
  ])('a backfill of %j is a mistake that is named', async (args, message) => {
    const { exitCode, stderr } = await cli('backfill', config, ...args)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('a state is reset: the outputs stay, and the next run reads everything', async () => {
    const before = JSON.parse(await readFile(manifest(), 'utf8')) as object
    const rows = await readFile(folder.at('out/products/products.ndjson'))
    const { exitCode, stderr } = await cli('state', 'reset', config)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('the next run reads everything and starts anew')
    expect(JSON.parse(await readFile(manifest(), 'utf8'))).toEqual({ ...before, state: null })
    expect(await readFile(folder.at('out/products/products.ndjson'))).toEqual(rows)
    expect(parse(await cli('state', 'reset', config, '--json'))).toMatchObject({ ok: true, kind: 'none' })
    expect(parse(await cli('state', 'show', config, '--json'))).toMatchObject({ state: null, next: { kind: 'full' } })
  })

  test('a state is reset also if the manifest is damaged, which is put aside', async () => {
    await writeFile(manifest(), '{"pipeline": "prod')
    const run = await cli('run', config)
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toContain('catalogue-etl state reset CONFIG')
    expect((await cli('state', 'reset', config)).stderr).toMatch(/is now .*_manifest\.json\.damaged: /)
    expect(await readFile(`${manifest()}.damaged`, 'utf8')).toBe('{"pipeline": "prod')
    expect((await cli('run', config, '--workers', '0')).exitCode).toBe(0)
  })

  test('a state is not reset if the manifest is of another pipeline', async () => {
    const text = await readFile(manifest(), 'utf8')
    await writeFile(manifest(), text.replace('"pipeline": "products"', '"pipeline": "brands"'))
    const { exitCode, stderr } = await cli('state', 'reset', config)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('expected the manifest of "products", got that of "brands"')
    expect(stderr).toContain('Give each pipeline a folder of its own')
    const stateless = await folder.config(
      'stateless',
      'brands.ndjson',
      `manifest: { path: ${JSON.stringify(manifest())} }\n`,
    )
    expect(await cli('run', stateless)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('got that of "brands"'),
    })
    await writeFile(manifest(), text)
  })

  test('a state of a later version is refused, with the version that reads it, and it is reset', async () => {
    const text = await readFile(manifest(), 'utf8')
    const later = text
      .replace(/(?<start>"state": \{\s*"format": )\d+/, '$<start>99')
      .replace(/"version": "[\d.]+"/, '"version": "9.9.0"')
    await writeFile(manifest(), later)
    for (const args of [['run'], ['state', 'show'], ['verify']]) {
      const run = await cli(...args, config)
      expect([run.exitCode, run.stderr]).toEqual([
        2,
        expect.stringMatching(/got format 99, which catalogue-etl 9\.9\.0\s+wrote/),
      ])
      expect(run.stderr).toContain('Run the pipeline with catalogue-etl 9.9.0, or a newer one.')
    }
    await writeFile(manifest(), text.replace(/(?<start>"state": \{\s*"format": )\d+/, '$<start>99'))
    expect((await cli('run', config)).stderr).toContain('Run the pipeline with a later catalogue-etl. ')
    await writeFile(manifest(), later)
    expect(parse(await cli('state', 'reset', config, '--json'))).toMatchObject({ kind: 'reset' })
    expect(JSON.parse(await readFile(manifest(), 'utf8'))).toEqual({ ...(JSON.parse(later) as object), state: null })
    await writeFile(manifest(), text)
  })

  test('a manifest of a later version is refused by every command that reads it, and reset puts it aside', async () => {
    const text = await readFile(manifest(), 'utf8')
    const written = JSON.parse(text) as { tool: object }
    const later = JSON.stringify({ ...written, format: 99, tool: { ...written.tool, version: '9.9.0' } })
    await writeFile(manifest(), later)
    const landed = await folder.generate('landed.ndjson', 'v4/product', 3)
    const calls = [['run'], ['state', 'show'], ['verify'], ['report'], ['rejects', 'show'], ['trace']]
    for (const [name = '', ...args] of calls) {
      const { exitCode, stdout, stderr } = await cli(
        name,
        ...args,
        config,
        ...(name === 'trace' ? ['M34C3D5797', '--from', landed] : []),
      )
      const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ')
      expect([name, name === 'trace' ? 2 : exitCode, said]).toEqual([
        name,
        2,
        expect.stringMatching(
          /expected a manifest of format 1 to 2, .* got format 99, which catalogue-etl 9\.9\.0 wrote/,
        ),
      ])
    }
    expect(await readFile(manifest(), 'utf8')).toBe(later)
    expect(parse(await cli('state', 'reset', config, '--json'))).toMatchObject({ kind: 'aside' })
    expect(await readFile(`${manifest()}.damaged`, 'utf8')).toBe(later)
    await writeFile(manifest(), text)
  })

  test('state is refused for a pipeline that keeps none', async () => {
    const plain = await folder.config('brands', 'brands.ndjson')
    for (const name of ['show', 'reset']) {
      const { exitCode, stderr } = await cli('state', name, plain)
      expect(exitCode).toBe(2)
      expect(stderr).toContain('expected a pipeline that keeps a state')
    }
  })
})
