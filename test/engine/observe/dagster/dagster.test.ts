import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BuiltCli } from '../../../cli/built-cli.ts'
import { isFull } from '../../../depth.ts'
import { forcedWorkers } from '../../../forced-workers.ts'
import { RunFolder } from '../../run-folder.ts'

/*
 * Runs are steps of Dagster itself where CATALOGUE_DAGSTER_PYTHON names a Python with dagster. CATALOGUE_REQUIRE_RECIPES=1, as in
 * CI, makes the tests fail without it.
 */
const { CATALOGUE_DAGSTER_PYTHON: python = '', CATALOGUE_REQUIRE_RECIPES, PATH = '' } = process.env
const hasDagster = python !== '' || CATALOGUE_REQUIRE_RECIPES === '1'

const recipe = join(import.meta.dirname, '../../../../docs/recipes/nightly/catalogue_assets.py')
const steps = join(import.meta.dirname, 'steps.py')

const config = `name: products
source: SOURCE
locales: [nl]
tables:
  products: { columns: [id, publicPrice] }
  product_brands: { each: "brands[]", columns: all }
expect: [{ column: publicPrice, from: 99999999, severity: "\${SEVERITY:-warn}" }]
outputs: [{ format: csv, path: 'out/{table}.csv' }]
`

describe.skipIf(!hasDagster || !isFull)('in Dagster itself', () => {
  let folder: RunFolder
  let env: Record<string, string>

  beforeAll(async () => {
    folder = await RunFolder.create()
    const { path } = await BuiltCli.build()
    const command = await folder.write('bin/catalogue-etl', `#!/bin/sh\nexec '${process.execPath}' '${path}' "$@"\n`)
    await chmod(command, 0o755)
    await mkdir(join(folder.path, 'pipelines'))
    // Dagster waits between attempts.
    await folder.write('catalogue_assets.py', (await readFile(recipe, 'utf8')).replace('15 * 60', '0'))
    env = {
      PATH: `${join(folder.path, 'bin')}:${PATH}`,
      HOME: folder.path,
      PYTHONPATH: folder.path,
      PYTHONDONTWRITEBYTECODE: '1',
      DAGSTER_DISABLE_TELEMETRY: '1',
      ...forcedWorkers,
    }
  })
  afterAll(() => folder.remove())

  const writeConfig = (source: string) =>
    writeFile(join(folder.path, 'pipelines/products.yaml'), config.replace('SOURCE', source))

  function run(program: string, args: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile(program, args, { cwd: folder.path, env, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout + stderr)
        else reject(new Error(stdout + stderr, { cause: error }))
      })
    })
  }

  test('tables are assets with their rows, a broken rule is a failed check, and exit codes decide on retries', async () => {
    await writeConfig('{ files: "${INPUT:-input.ndjson}", contract: v4/product }')
    const command = join(folder.path, 'bin/catalogue-etl')
    await run(command, ['sandbox', 'generate', '--records', '30', '--to', 'input.ndjson'])
    await run(command, ['shards', 'plan', 'pipelines/products.yaml', '--to', 'plan', '--out', 'committed'])
    await run(command, ['shards', 'run', 'plan', '--shard', '0'])
    const said = await run(python, [steps])
    const shown = Object.fromEntries(
      [...said.matchAll(/^== (\S+) (.*)$/gm)].map(([, name = '', json = '']) => [name, JSON.parse(json) as unknown]),
    )
    const products = { 'dagster/row_count': 30, completeness: 'proven', path: 'out/products.csv' }
    const proofs = { completeness: [true, 'WARN'], ledger: [true, 'ERROR'] }
    const rule = 'products_public_price_range'
    expect(shown).toEqual({
      published: expect.objectContaining({
        success: true,
        assets: { products: expect.objectContaining(products), product_brands: expect.anything() },
        columns: {
          products: ['id', 'public_price'],
          product_brands: expect.arrayContaining(['product_id', 'position']),
        },
        checks: { ...proofs, [rule]: [false, 'WARN'] },
        exceptions: [],
      }),
      refused: expect.objectContaining({
        success: false,
        retries: 0,
        assets: {},
        checks: { ...proofs, [rule]: [false, 'ERROR'] },
        exceptions: ['RULE_BROKEN'],
      }),
      missing: expect.objectContaining({ success: false, retries: 3, assets: {}, checks: {} }),
      whole: expect.objectContaining({
        success: true,
        assets: { whole: expect.objectContaining({ 'dagster/row_count': 30 }) },
        checks: { [rule]: [false, 'WARN'] },
      }),
      committed: expect.objectContaining({
        success: true,
        assets: { whole: expect.objectContaining({ manifest: expect.stringMatching(/^committed\/|\/committed\//) }) },
        checks: { [rule]: [false, 'WARN'] },
      }),
    })
    expect(said).not.toContain('unexpected message')
    expect(said).not.toContain('did not receive')
  }, 300_000)

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'a step that Dagster ends by %s ends the run, which publishes nothing',
    async (signal) => {
      const service = createServer(() => undefined)
      service.listen(0, '127.0.0.1')
      await once(service, 'listening')
      const { port } = service.address() as { readonly port: number }
      await writeConfig(`{ endpoint: v4/products/stream, baseUrl: 'http://127.0.0.1:${port}', keyId: a, keySecret: b }`)
      await run('rm', ['-rf', 'out'])
      const child = spawn(python, [steps, 'waiting'], { cwd: folder.path, env })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
      await once(service, 'request')
      child.kill(signal)
      await once(child, 'close')
      expect(said).toContain('"retries": 0')
      service.closeAllConnections()
      service.close()
      expect(said).toContain('INTERRUPTED')
      await expect(stat(join(folder.path, 'out/_manifest.json'))).rejects.toThrow('ENOENT')
    },
    300_000,
  )
})
