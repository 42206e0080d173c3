import { execFile, spawn } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { errorDefinitions, exitCodes } from '../../src/errors.ts'
import { BuiltCli } from '../cli/built-cli.ts'
import { fewOf, isDeep, isFull } from '../depth.ts'

/*
 * The recipes of docs/recipes run where their engines are installed: CATALOGUE_RAY_PYTHON names a Python with ray,
 * kubernetes-validate and botocore, CATALOGUE_AIRFLOW_PYTHON one with apache-airflow. CATALOGUE_REQUIRE_RECIPES=1, as in CI, makes
 * the tests fail without them.
 */
const {
  CATALOGUE_RAY_PYTHON: ray = '',
  CATALOGUE_AIRFLOW_PYTHON: airflow = '',
  CATALOGUE_REQUIRE_RECIPES,
} = process.env
const skips = (python: string): boolean => python === '' && CATALOGUE_REQUIRE_RECIPES !== '1'

const recipes = join(import.meta.dirname, '../../docs/recipes')

interface Ended {
  readonly code: number
  readonly said: string
}

let folder: string
let bin: string
let config: string

/** Runs a program with the command in its path. */
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const options = { cwd: folder, env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder, ...env } }
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
    )
  })
}

async function install(name: string, script: string): Promise<void> {
  await writeFile(join(bin, name), script)
  await chmod(join(bin, name), 0o755)
}

/** Plans the archive anew, and gives the numbers of its shards. */
async function plan(name: string, ...settings: readonly string[]): Promise<string> {
  const to = join(folder, name)
  const outputs = ['--out', join(folder, `${name}-out`)]
  const { code, said } = await run('catalogue-etl', [
    'shards',
    'plan',
    config,
    '--to',
    to,
    '--bytes',
    '300kB',
    ...outputs,
    ...settings,
  ])
  expect({ code, said }).toMatchObject({ code: 0 })
  return to
}

async function listParts(name: string): Promise<string[]> {
  return (await readdir(join(folder, `${name}-out/products`))).toSorted()
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recipes-'))
  bin = join(folder, 'bin')
  await mkdir(bin)
  const { path } = await BuiltCli.build()
  await install('catalogue-etl', `#!/bin/sh\nexec '${process.execPath}' '${path}' "$@"\n`)
  await run('catalogue-etl', ['sandbox', 'generate', '--records', '100', '--to', 'export.ndjson'])
  config = join(folder, 'archive.yaml')
  const source = `{ files: '${join(folder, 'export.ndjson')}', contract: v4/product }`
  const text = `name: archive\nsource: ${source}\nlocales: [nl]\noutputs:\n  - { format: csv, path: 'out/{table}.csv' }\n`
  await writeFile(config, text)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface FailureRule {
  readonly action: string
  readonly onExitCodes?: { readonly values: readonly number[] }
}

/** The exit codes that no repetition mends, as a recipe lists them. */
const lasting = { run: [exitCodes.usage], commit: [exitCodes.usage, exitCodes.tooManyRejects, exitCodes.source] }

describe('recipes end a job for the exit codes that no repetition mends', () => {
  test.each([
    ['kubernetes.yaml', lasting.run],
    ['kubernetes-commit.yaml', lasting.commit],
  ])('%s', async (file, expected) => {
    const job = parse(await readFile(join(recipes, file), 'utf8')) as {
      readonly spec: { readonly podFailurePolicy: { readonly rules: readonly FailureRule[] } }
    }
    const [rule] = job.spec.podFailurePolicy.rules
    expect(rule).toMatchObject({ action: 'FailJob', onExitCodes: { values: expected } })
  })

  test.each([
    ['aws-batch-shards.json', lasting.run],
    ['aws-batch-commit.json', lasting.commit],
  ])('%s', async (file, expected) => {
    const job = JSON.parse(await readFile(join(recipes, file), 'utf8')) as {
      readonly retryStrategy: {
        readonly evaluateOnExit: readonly { readonly onExitCode?: string; readonly action: string }[]
      }
    }
    const ends = job.retryStrategy.evaluateOnExit.filter(({ action }) => action === 'EXIT')
    expect(ends.map(({ onExitCode }) => Number(onExitCode))).toEqual(expected)
  })

  test('the errors of a plan end with the exit codes that the recipes name', () => {
    const { PLAN_INVALID, SHARDS_INCOMPLETE, SHARDS_DIFFER, OUTPUT_FAILED } = errorDefinitions
    expect(PLAN_INVALID.exitCode).toBe(exitCodes.usage)
    expect([SHARDS_INCOMPLETE.exitCode, SHARDS_DIFFER.exitCode]).toEqual([exitCodes.source, exitCodes.source])
    expect([...lasting.run, ...lasting.commit]).not.toContain(OUTPUT_FAILED.exitCode)
  })
})

/** The variables of a task of an array. */
function toTask(index: number, restarts: number) {
  return {
    SLURM_ARRAY_TASK_ID: `${index}`,
    SLURM_ARRAY_JOB_ID: '77',
    SLURM_RESTART_COUNT: `${restarts}`,
  }
}

describe('slurm-shard.sh', () => {
  const script = join(recipes, 'slurm-shard.sh')
  test('runs the shard of its number, as every index variable does; the commit follows', async () => {
    const to = await plan('slurm')
    const { shards } = JSON.parse((await run('catalogue-etl', ['shards', 'status', to, '--json'])).said) as {
      shards: number
    }
    expect(shards).toBeGreaterThan(2)
    const others = ['JOB_COMPLETION_INDEX', 'AWS_BATCH_JOB_ARRAY_INDEX', 'CLOUD_RUN_TASK_INDEX']
    for (let shard = 0; shard < shards; shard++) {
      const name = others[shard]
      const env = name === undefined ? toTask(shard, 0) : { [name]: `${shard}` }
      const [program, args] = name === undefined ? [script, [to]] : ['catalogue-etl', ['shards', 'run', to]]
      const ended = await run(program, args, env)
      expect(ended).toMatchObject({ code: 0, said: expect.stringContaining(`shard ${shard}: `) })
    }
    expect(await run('catalogue-etl', ['shards', 'commit', to])).toMatchObject({ code: 0 })
    expect(await listParts('slurm')).toHaveLength(shards)
  })

  test.each([
    { code: 0, restarts: 0, isRequeued: false },
    { code: 2, restarts: 0, isRequeued: false },
    { code: 4, restarts: 0, isRequeued: true },
    { code: 5, restarts: 2, isRequeued: true },
    { code: 5, restarts: 3, isRequeued: false },
  ])(
    'a shard that ends with $code after $restarts restarts: requeued $isRequeued',
    async ({ code, restarts, isRequeued }) => {
      const stubs = await mkdtemp(join(folder, 'stubs-'))
      for (const [name, text] of Object.entries({ 'catalogue-etl': `exit ${code}`, scontrol: `echo "scontrol $*"` })) {
        await writeFile(join(stubs, name), `#!/bin/sh\n${text}\n`)
        await chmod(join(stubs, name), 0o755)
      }
      const ended = await run(script, ['plan'], {
        ...toTask(3, restarts),
        PATH: `${stubs}:${process.env['PATH'] ?? ''}`,
      })
      expect(ended).toEqual({ code, said: isRequeued ? 'scontrol requeue 77_3\n' : '' })
    },
  )
})

describe.skipIf(skips(ray))('with the models of the engines', () => {
  test('Kubernetes takes both jobs', async () => {
    const files = ['kubernetes.yaml', 'kubernetes-commit.yaml'].map((file) => join(recipes, file))
    expect(await run(ray, ['-m', 'kubernetes_validate', '--strict', ...files])).toMatchObject({ code: 0 })
  })

  test('AWS Batch takes both definitions', async () => {
    const check = `
import json, sys
from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.validate import ParamValidator
shape = ServiceModel(Loader().load_service_model("batch", "service-2")).operation_model("RegisterJobDefinition").input_shape
for file in sys.argv[1:]:
    report = ParamValidator().validate(json.load(open(file)), shape)
    assert not report.has_errors(), report.generate_report()
`
    const files = ['aws-batch-shards.json', 'aws-batch-commit.json'].map((file) => join(recipes, file))
    expect(await run(ray, ['-c', check, ...files])).toEqual({ code: 0, said: '' })
  })
})

describe.skipIf(skips(ray) || !isDeep)('ray_shards.py', () => {
  const port = 20_000 + (process.pid % 10_000)
  const quiet = { RAY_USAGE_STATS_ENABLED: '0', RAY_AUTH_MODE: 'disabled' }
  let cluster: ReturnType<typeof spawn>

  beforeAll(async () => {
    const place = ['--node-ip-address=127.0.0.1', `--port=${port}`, '--num-cpus=2', '--include-dashboard=false']
    const ports = ['--min-worker-port=0', '--max-worker-port=0', `--temp-dir=${join(folder, 'ray')}`]
    const command = ['-m', 'ray.scripts.scripts', 'start', '--head', '--block', ...place, ...ports]
    cluster = spawn(ray, command, {
      stdio: 'ignore',
      env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder, ...quiet },
    })
    while (!(await isOpen(port))) await sleep(100)
  })
  afterAll(async () => {
    if (cluster.exitCode !== null) return
    const ended = new Promise((resolve) => cluster.once('exit', resolve))
    cluster.kill('SIGTERM')
    await ended
  })

  test.each(fewOf(['keep', 'last'], 'last'))(
    'runs every shard on the cluster, then commits, with duplicates: %s',
    async (duplicates) => {
      const to = await plan(`ray-${duplicates}`, '--set', `duplicates=${duplicates}`)
      const env = { ...quiet, RAY_ADDRESS: `127.0.0.1:${port}` }
      const ended = await run(ray, [join(recipes, 'ray_shards.py'), to], env)
      expect(ended).toMatchObject({
        code: 0,
        said: expect.stringContaining('archive  100 products, none lost on the way'),
      })
      expect((await listParts(`ray-${duplicates}`)).length).toBeGreaterThan(2)
    },
  )
})

async function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

describe.skipIf(skips(airflow) || !isFull)('airflow_shards.py', () => {
  test('plans, maps a task to each shard, and commits', async () => {
    const home = join(folder, 'airflow')
    await mkdir(join(home, 'dags'), { recursive: true })
    await copyFile(join(recipes, 'airflow_shards.py'), join(home, 'dags/airflow_shards.py'))
    const out = join(folder, 'airflow-out')
    const placed = join(folder, 'placed.yaml')
    await writeFile(placed, (await readFile(config, 'utf8')).replace("'out/", `'${out}/`))
    const env = {
      AIRFLOW_HOME: home,
      AIRFLOW__CORE__LOAD_EXAMPLES: 'False',
      CATALOGUE_CONFIG: placed,
      CATALOGUE_PLAN: join(folder, 'airflow-plan'),
    }
    await run(airflow, ['-m', 'airflow', 'db', 'migrate'], env)
    const ended = await run(airflow, [join(home, 'dags/airflow_shards.py')], env)
    expect(ended).toMatchObject({ code: 0, said: expect.stringContaining('state=success') })
    expect(await listParts('airflow')).toEqual(['part-00000.csv'])
  }, 300_000)
})
