import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/errors.ts'
import { BuiltCli } from '../cli/built-cli.ts'
import { isFull } from '../depth.ts'
import { forcedWorkers } from '../forced-workers.ts'

/*
 * airflow/catalogue_etl.py in a stub of Airflow, and, where CATALOGUE_AIRFLOW_PYTHON names a Python with apache-airflow, in
 * Airflow itself. CATALOGUE_REQUIRE_RECIPES=1, as in CI, makes the tests fail without it.
 */
const { CATALOGUE_AIRFLOW_PYTHON: airflow = '', CATALOGUE_REQUIRE_RECIPES, PATH = '' } = process.env
const hasAirflow = airflow !== '' || CATALOGUE_REQUIRE_RECIPES === '1'
const hasPython = await new Promise<boolean>((resolve) => {
  execFile('python3', ['--version'], (error) => resolve(error === null))
})

const root = join(import.meta.dirname, '../..')
const stub = join(import.meta.dirname, 'stub.py')

let folder: string
let cli: string
/** Takes requests and never answers. */
let service: Server
let requests = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airflow-'))
  cli = `${process.execPath} ${(await BuiltCli.build()).path}`
  service = createServer(() => void requests++)
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  await writeConfigs()
})
beforeEach(async () => {
  requests = 0
  await rm(join(folder, 'out'), { recursive: true, force: true })
})
afterAll(async () => {
  service.closeAllConnections()
  service.close()
  await rm(folder, { recursive: true, force: true })
})

const rule = (severity: string) => `expect: [{ column: publicPrice, from: 99999999, severity: ${severity} }]`

async function writeConfigs(): Promise<void> {
  await run('sh', ['-c', `${cli} generate --records 20 --to export.ndjson`])
  const { port } = service.address() as { readonly port: number }
  const files = 'source: { files: export.ndjson, contract: v4/product }'
  const waiting = `source: { endpoint: v4/products/stream, baseUrl: 'http://127.0.0.1:${port}', keyId: id, keySecret: '\${SECRET}' }`
  const tables =
    'tables:\n  products: { columns: [id, publicPrice] }\n  product_brands: { each: "brands[]", columns: all }'
  const configs = { published: [files, rule('warn')], refused: [files, rule('error')], waiting: [waiting] }
  for (const [name, lines] of Object.entries(configs)) {
    const outputs = "outputs: [{ format: csv, path: 'out/{table}.csv' }]"
    await writeFile(
      join(folder, `${name}.yaml`),
      [`name: ${name}`, ...lines, 'locales: [nl]', tables, outputs].join('\n'),
    )
  }
}

interface End {
  readonly task: string
  readonly end: 'success' | 'fail' | 'retry'
  readonly message?: string
  readonly xcom?: object
  readonly events: object
}

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { cwd: folder, env: { PATH, HOME: folder, ...forcedWorkers, ...env } },
      (error, stdout, stderr) =>
        error === null ? resolve(stdout + stderr) : reject(new Error(stdout + stderr, { cause: error })),
    )
  })
}

/** Starts a DAG of one task in the stub. */
async function startTask(args: string) {
  const dag = join(folder, 'dag.py')
  await writeFile(
    dag,
    `from airflow.sdk import Asset\nfrom catalogue_etl import CatalogueEtlOperator\nCatalogueEtlOperator(task_id="load", ${args})\n`,
  )
  const env = {
    PATH,
    HOME: folder,
    ...forcedWorkers,
    PYTHONPATH: join(root, 'airflow'),
    PYTHONDONTWRITEBYTECODE: '1',
    CATALOGUE_ETL: cli,
  }
  const child = spawn('python3', [stub, dag], { cwd: folder, env })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (text: Buffer) => (said.stdout += text.toString()))
  child.stderr.on('data', (text: Buffer) => (said.stderr += text.toString()))
  const ended = once(child, 'close').then(() => said)
  return { child, ended }
}

async function runTask(args: string): Promise<End & { readonly log: string }> {
  const { stdout, stderr } = await (await startTask(args)).ended
  expect(stderr).not.toContain('Traceback')
  const [end] = JSON.parse(stdout) as [End]
  return { ...end, log: stderr }
}

const isPublished = async (): Promise<boolean> =>
  stat(join(folder, 'out/_manifest.json')).then(
    () => true,
    () => false,
  )

describe.skipIf(!hasPython)('the operator for Airflow', () => {
  test.each(
    Object.entries({ unexpected: 'fail', usage: 'fail', tooManyRejects: 'fail', source: 'retry' }).concat([
      ['output', 'retry'],
      ['locked', 'retry'],
      ['interrupted', 'retry'],
    ]) as [keyof typeof exitCodes, string][],
  )('a command that ends with the exit code %s: %s', async (name, expected) => {
    const script = `echo '{"ok":false,"error":{"code":"CODE","message":"why"},"problems":[]}'; exit ${exitCodes[name]}`
    await writeFile(join(folder, 'ends.sh'), script)
    const { end, message } = await runTask(`config="p.yaml", executable="sh ends.sh"`)
    expect({ end, message }).toEqual({
      end: expected,
      message: `catalogue-etl ended with ${exitCodes[name]}: CODE why`,
    })
  })

  test('hands on what was published, by table to an asset of its name and whole to others', async () => {
    const assets = '[Asset("product_brands"), Asset("published.products"), Asset("all")]'
    const { end, xcom, events, log } = await runTask(
      `config="published.yaml", args=["--workers", 0], outlets=${assets}`,
    )
    const manifest = JSON.parse(await readFile(join(folder, 'out/_manifest.json'), 'utf8')) as {
      readonly runId: string
      readonly files: readonly { readonly rows: number; readonly bytes: number }[]
    }
    const [products, brands] = manifest.files
    const broken = { table: 'products', column: 'public_price', severity: 'warn' }
    const all = {
      runId: manifest.runId,
      tables: { products: 20, product_brands: brands!.rows },
      rows: 20 + brands!.rows,
      bytes: products!.bytes + brands!.bytes,
      completeness: 'proven',
      brokenRules: [broken],
      manifest: 'out/_manifest.json',
    }
    expect(end).toBe('success')
    expect(xcom).toMatchObject(all)
    expect(events).toMatchObject({
      all,
      product_brands: { table: 'product_brands', rows: brands!.rows, bytes: brands!.bytes, brokenRules: [] },
      'published.products': { table: 'products', rows: 20, bytes: products!.bytes, brokenRules: [broken] },
    })
    expect(log).toContain('INFO published: published 20 of 20 lines')
    expect(log).toContain('WARNING rule broken: products.public_price: expected at least 99999999')
  })

  test('hands on what changed in a pipeline that keeps a state', async () => {
    const args = '["--set", "outputs[0].mode=merge"]'
    expect(await runTask(`config="published.yaml", args=${args}`)).toMatchObject({
      end: 'success',
      xcom: { kind: 'full', changes: { new: 20, removed: 0 } },
    })
  })

  test('logs why a run was refused, and fails at once', async () => {
    const { end, message, log } = await runTask('config="refused.yaml"')
    expect({ end, message }).toEqual({ end: 'fail', message: expect.stringContaining('ended with 3: RULE_BROKEN') })
    expect(log).toMatch(/ERROR refused: products\.public_price: .* Try: Correct the records/)
    expect(await isPublished()).toBe(false)
  })

  test('returns the document of a command that publishes nothing', async () => {
    await runTask('config="published.yaml"')
    expect(await runTask('config="published.yaml", command="verify"')).toMatchObject({
      end: 'success',
      xcom: { ok: true },
      events: {},
    })
  })

  test('gives its variables to the command, and to nobody else', async () => {
    await writeFile(join(folder, 'told.sh'), 'test "$SECRET" = swordfish && echo \'{}\'')
    const variables = '{"SECRET": "{{ conn.catalogue.password }}"}'
    const ended = await runTask(`config="p.yaml", executable="sh told.sh", env=${variables}`)
    expect(ended).toMatchObject({ end: 'success', xcom: {} })
    expect(JSON.stringify(ended)).not.toContain('swordfish')
    const operator = await readFile(join(root, 'airflow/catalogue_etl.py'), 'utf8')
    expect(operator).toContain('template_fields = ("config", "args", "cwd")')
  })

  test('fails at once if the command is missing', async () => {
    const { end, message } = await runTask('config="p.yaml", executable="/nowhere/etl --x"')
    expect(end).toBe('fail')
    expect(message).toMatch(/^expected the command "\/nowhere\/etl" in PATH, in CATALOGUE_ETL or as executable, got: /)
  })

  // Only Linux lets a command end with the process that started it.
  test.skipIf(process.platform !== 'linux').each([
    { signal: 'SIGTERM', ends: [{ end: 'retry', message: /ended with 130/ }] },
    { signal: 'SIGKILL', ends: [] },
  ] as const)('a task that gets $signal ends the command, which publishes nothing', async ({ signal, ends }) => {
    const { child, ended } = await startTask('config="waiting.yaml", env={"SECRET": "x"}')
    await expect.poll(() => requests, { timeout: 60_000 }).toBeGreaterThan(0)
    child.kill(signal)
    const { stdout } = await ended
    expect(stdout === '' ? [] : JSON.parse(stdout)).toMatchObject(
      ends.map((each) => ({ ...each, message: expect.stringMatching(each.message) })),
    )
    // The command holds its connection until it ends.
    await expect.poll(countConnections, { timeout: 60_000 }).toBe(0)
    expect(await isPublished()).toBe(false)
  })
})

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    service.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}

describe.skipIf(!hasAirflow || !isFull)('the operator in Airflow itself', () => {
  let env: Record<string, string>

  beforeAll(async () => {
    const home = join(folder, 'home')
    for (const name of ['dags', 'plugins']) await mkdir(join(home, name), { recursive: true })
    await copyFile(join(root, 'airflow/catalogue_etl.py'), join(home, 'plugins/catalogue_etl.py'))
    await copyFile(join(import.meta.dirname, 'dags.py'), join(home, 'dags/dags.py'))
    env = { AIRFLOW_HOME: home, AIRFLOW__CORE__LOAD_EXAMPLES: 'False', CATALOGUE_ETL: cli, CATALOGUE_FOLDER: folder }
    await run(airflow, ['-m', 'airflow', 'db', 'migrate'], env)
  }, 300_000)

  const runDags = (...names: readonly string[]) => run(airflow, [join(folder, 'home/dags/dags.py'), ...names], env)

  test('shows what was published and which rule was broken, fails or retries, and kills', async () => {
    const said = await runDags('published', 'refused', 'missing', 'waiting')
    const shown = Object.fromEntries(
      [...said.matchAll(/^== (\S+) (.*)$/gm)].map(([, name, json = '']) => [name, JSON.parse(json) as unknown]),
    )
    const broken = { table: 'products', column: 'public_price', severity: 'warn' }
    expect(shown).toMatchObject({
      published: { state: 'success', tries: 1 },
      refused: { state: 'failed', tries: 1 },
      missing: { state: 'failed', tries: 2 },
      waiting: { state: 'failed', tries: 1 },
      'event:products': { table: 'products', rows: 20, completeness: 'proven', brokenRules: [broken] },
      'event:catalogue': { pipeline: 'published', tables: { products: 20 } },
      xcom: { pipeline: 'published', tables: { products: 20 }, brokenRules: [broken] },
    })
    expect(said).toContain('ended with 3: RULE_BROKEN')
    expect(said).toContain('ended with 4: SOURCE_NOT_FOUND')
    expect(requests).toBeGreaterThan(0)
    expect(await countConnections()).toBe(0)
    expect(said).not.toContain('swordfish')
  }, 300_000)
})
