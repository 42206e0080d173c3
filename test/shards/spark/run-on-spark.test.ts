import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectS3 } from '../../../src/storage/s3/load-s3.ts'
import { createObjectClient } from '../../../src/storage/s3/object-client.ts'
import { fewOf, isDeep, isFull } from '../../depth.ts'
import { startS3, type S3Server } from '../../storage/s3/start-s3.ts'
import { BuiltCli } from '../../cli/built-cli.ts'
import { runTasks } from '../../../src/shards/spark/run-tasks.ts'
import { skipsSpark, smallApplication, SparkCluster, toConf } from './spark-cluster.ts'
import { sparkScript, SparkScript } from './spark-script.ts'
import { writeArchive } from './archive.ts'
import { SparkLane } from './spark-lane.ts'
import { stubCommand, StubPlan } from './stub-plan.ts'

/** CATALOGUE_CRASH_SEED=7 kills processes at other times. */
const seed = Number(process.env.CATALOGUE_CRASH_SEED ?? '1')
const driverEnds = [
  ['asked to stop', 'SIGTERM', { code: 130, signal: null }],
  ['killed', 'SIGKILL', { code: null, signal: 'SIGKILL' }],
] as const
const laneOptions = { timeout: 3_600_000 }

// A cluster takes longer to start than all that `npm test` may take for a file.
describe.skipIf(skipsSpark || !isDeep)('on a cluster of Spark', { timeout: 180_000 }, () => {
  let cli: BuiltCli
  let folder: string
  let cluster: SparkCluster
  let remote: string

  beforeAll(async () => {
    cli = await BuiltCli.build()
    folder = await mkdtemp(join(tmpdir(), 'spark-'))
    cluster = await SparkCluster.start({ folder, env: { CATALOGUE_ETL: `${process.execPath} ${cli.path}` } })
    remote = await cluster.startConnect()
  })

  afterAll(async () => {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  })

  // Each waits for Spark to give up tasks.
  describe.runIf(isFull)('with a command that fails as it is asked to', { concurrent: true }, () => {
    // Once more if Spark, on a machine that others load, starts the twin before the shard itself.
    it('Spark repeats only failures that may pass, and takes the twin of a stopped shard', { retry: 1 }, async () => {
      const plan = await StubPlan.create(folder, { 1: [2], 2: [5], 3: ['stop'], 4: ['die'], 5: [4, 5, 1, 'die'] })
      const rows = await runStub(plan, [0, 1, 2, 3, 4, 5])
      expect(rows.map(({ shard, attempt, exit_code: exitCode }) => [shard, attempt, exitCode])).toEqual([
        [0, 0, 0],
        [1, 0, 2],
        [2, 1, 0],
        [3, 1, 0],
        [4, 1, 0],
        [5, 3, 137],
      ])
      expect(rows[1]!.stderr).toBe('STUB_FAILED A shard ends with 2\n  shard 1: expected 0, got 2')
      const attempts = await plan.readAttempts()
      expect(attempts).toHaveLength(1 + 1 + 2 + 2 + 2 + 4)
      expect(attempts.map(({ workers }) => workers)).toEqual(attempts.map(() => '0'))
      await plan.hasEnded()
    })

    it.each(driverEnds)('a driver that is %s leaves no shard running', async (_, signal, end) => {
      const plan = await StubPlan.create(folder, { 0: ['hang'], 1: ['stop'] })
      const shards = ['--shards', '0,1', '--command', stubCommand]
      const args = ['--master', cluster.master, ...shards, ...toConf(smallApplication)]
      const script = new SparkScript(cluster, plan.path, args)
      await plan.hasBegun(2)
      script.kill(signal)
      expect(await script.ended).toEqual(end)
      await plan.hasEnded()
    })

    it('a run that is stopped ends its shards on a server of Spark Connect', async () => {
      const plan = await StubPlan.create(folder, { 0: ['hang'], 1: ['stop'] })
      const abort = new AbortController()
      const running = runStub(plan, [0, 1], { signal: abort.signal })
      await plan.hasBegun(2)
      abort.abort()
      await expect(running).rejects.toMatchObject({ code: 'INTERRUPTED' })
      await plan.hasEnded()
    })

    it('Spark executors without the command name it, and say how it is found', async () => {
      const plan = await StubPlan.create(folder, {})
      const [row] = await runStub(plan, [0], { command: 'no-such-command' })
      expect(row).toMatchObject({ attempt: 3, exit_code: 127 })
      expect(row!.stderr).toContain(
        'expected the command "no-such-command" in PATH, or in CATALOGUE_ETL or --command, got: ',
      )
    })
  })

  describe.concurrent('with the command', () => {
    it.each(fewOf([20, 1] as const, 20))('%s shards leave the bytes that one process leaves', async (shards) => {
      const place = await mkdtemp(join(folder, 'archive-'))
      const sizes = await writeArchive(place, { name: 'archive', seed: shards })
      const bytes = ['--bytes', `${sizes[shards]}B`]
      const planned = await run(place, ['shards', 'plan', 'archive.json', '--to', 'plan', ...bytes, '--json'])
      expect((JSON.parse(planned.stdout) as { shards: unknown[] }).shards).toHaveLength(shards)
      expect(await run(place, ['run', 'archive.json', '--plan', 'plan', '--quiet'])).toMatchObject({ code: 0 })
      await rename(join(place, 'out'), join(place, 'alone'))
      expect(await runOnSpark(place, bytes)).toMatchObject({ code: 0, stderr: '' })
      expect(await readTree(join(place, 'out'))).toEqual(await readTree(join(place, 'alone')))
      expect(await readdir(join(place, 'out'))).not.toContain('_shards')
    })

    it.runIf(isFull)(
      'the script by itself makes 3 shards and leaves the same, also of repeated ids the last ones',
      async () => {
        const place = await mkdtemp(join(folder, 'archive-'))
        const { 3: bytes } = await writeArchive(place, { name: 'archive', seed: 3, duplicates: 'last' })
        await copyFile(join(place, 'archive/02.ndjson.gz'), join(place, 'archive/19.ndjson.gz'))
        const plan = ['archive.json', '--to', join(place, 'plan'), '--bytes', `${bytes}B`]
        await run(place, ['shards', 'plan', ...plan])
        const alone = await run(place, ['run', 'archive.json', '--plan', 'plan', '--quiet'])
        expect(alone).toMatchObject({ code: 0 })
        await rename(join(place, 'out'), join(place, 'alone'))
        await rm(join(place, 'plan'), { recursive: true })
        expect(await runScript(place, [...plan, '--remote', remote])).toMatch(/^spark: 3 shards, plan /)
        expect(await readTree(join(place, 'out'))).toEqual(await readTree(join(place, 'alone')))
      },
    )

    it.runIf(isFull)(
      'shards of an archive in a bucket, with plan and outputs there, leave the rows of one process',
      async () => {
        const place = await mkdtemp(join(folder, 'bucket-'))
        const { 3: bytes } = await writeArchive(place, { name: 'archive', seed: 4 })
        const s3 = await startS3()
        try {
          await moveToBucket(place, s3)
          const alone = ['--env', 'bucket.env', '--out', 's3://warehouse/alone']
          const to = 's3://warehouse/plan-alone'
          const made = await run(place, [
            'shards',
            'plan',
            'archive.json',
            ...alone,
            '--to',
            to,
            '--bytes',
            `${bytes}B`,
          ])
          expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('3 shards') })
          const one = await run(place, ['run', 'archive.json', ...alone, '--plan', to, '--quiet'])
          expect(one).toMatchObject({ code: 0, stderr: '' })
          const spread = ['--env', 'bucket.env', '--out', 's3://warehouse/out', '--plan', 's3://warehouse/plan']
          const many = await runOnSpark(place, [...spread, '--bytes', `${bytes}B`])
          expect(many).toMatchObject({ code: 0, stderr: '' })
          const objects = await s3.objects()
          const tables = partsBelow('out/', objects)
          expect(Object.keys(tables)).toHaveLength(3 * 2 * 2)
          expect(tables).toEqual(partsBelow('alone/', objects))
        } finally {
          await s3.close()
        }
      },
    )

    it('a shard with an error in its file is named with file and line, and is not repeated', async () => {
      const place = await mkdtemp(join(folder, 'archive-'))
      const { 20: bytes } = await writeArchive(place, { name: 'archive', seed: 7 })
      const lines = '{"error": {"status": 500, "code": "broken", "message": "on purpose"}}\n'
      await writeFile(join(place, 'archive/07.ndjson.gz'), gzipSync(lines))
      const { code, stderr } = await runOnSpark(place, ['--bytes', `${bytes}B`, '--plan', 'plan'])
      expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('archive/07.ndjson.gz') })
      expect(stderr).toContain('line 1')
      expect(stderr).not.toContain('Exception')
      const attempts = await readdir(join(place, 'plan/attempts'))
      expect(attempts.filter((name) => name.startsWith('00007'))).toHaveLength(1)
      expect(new Set(attempts.map((name) => name.slice(0, 5))).size).toBe(20)
    })
  })

  it.runIf(isFull)(
    'killed processes leave the earlier outputs or the new ones, and the next run the new ones',
    laneOptions,
    async () => {
      const place = await mkdtemp(join(folder, 'killed-'))
      const sizes = [
        await writeArchive(place, { name: 'earlier', seed: 1 }),
        await writeArchive(place, { name: 'later', seed: 2 }),
      ]
      const bytes = `${Math.max(...sizes.map((size) => size[3]))}B`
      const reached = ['--engine', 'spark', '--remote', remote]
      const configs = ['earlier.json', 'later.json'] as const
      const lane = await SparkLane.start({ cluster, cli, reached, bytes, configs, folder: place, shards: 3, seed })
      const kills = 9
      const tally = await lane.run(kills)
      expect(Object.values(tally).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(kills)
      console.info(`on Spark: ${JSON.stringify(tally)} processes killed`)
    },
  )

  async function runOnSpark(place: string, args: readonly string[]) {
    return run(place, [
      'run',
      'archive.json',
      '--quiet',
      '--log',
      'text',
      '--engine',
      'spark',
      '--remote',
      remote,
      ...args,
    ])
  }

  async function runScript(place: string, args: readonly string[]): Promise<string> {
    const env = { ...cluster.driverEnv, CATALOGUE_ETL: `${process.execPath} ${cli.path}` }
    const { stderr } = await promisify(execFile)(cluster.python, [sparkScript, ...args], { cwd: place, env })
    return stderr
  }

  async function run(place: string, args: readonly string[]) {
    return cli.start(args, { cwd: place, env: { ...cluster.driverEnv, CATALOGUE_WORKERS: '0' } }).ended
  }

  interface StubOptions {
    readonly signal?: AbortSignal
    readonly command?: string
  }

  async function runStub(plan: StubPlan, shards: readonly number[], options: StubOptions = {}) {
    const { signal = new AbortController().signal, command = stubCommand } = options
    const context = { env: cluster.driverEnv, signal }
    return runTasks({ plan: plan.path, shards, stage: 'rows', remote, command }, context)
  }
})

describe('without Spark', () => {
  const context = { env: { PATH: '' }, signal: new AbortController().signal }

  it('without Spark the error names the programs that were looked for, and how to get one', async () => {
    const running = runTasks({ plan: 'plan', shards: [0], stage: 'rows' }, context)
    await expect(running).rejects.toMatchObject({
      code: 'PEER_MISSING',
      message: 'Spark: expected a Python with pyspark, or spark-submit, got no "python3" in PATH',
      fix: expect.stringContaining('`python3 -m pip install pyspark pandas pyarrow`'),
    })
  })
})

/** Digests of files by path, without those that contain times. */
async function readTree(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(
    (entry) => entry.isFile() && !['_manifest.json', '_report.html', '_runs.ndjson'].includes(entry.name),
  )
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()
  const contents = await Promise.all(paths.map(async (path) => sha256(await readFile(path))))
  return Object.fromEntries(paths.map((path, at) => [relative(folder, path), contents[at]!]))
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Moves the archive of a folder into a bucket, and its config reads it there. */
async function moveToBucket(place: string, s3: S3Server): Promise<void> {
  const variables = Object.entries(s3.env).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(place, 'bucket.env'), variables.join(''))
  const bucket = createObjectClient(await connectS3(s3.env, 's3://warehouse'))
  for (const name of await readdir(join(place, 'archive')))
    await bucket.put(`s3://warehouse/archive/${name}`, await readFile(join(place, 'archive', name)))
  bucket.close()
  const config = JSON.parse(await readFile(join(place, 'archive.json'), 'utf8')) as { source: object }
  const source = { ...config.source, files: ['s3://warehouse/archive/*.ndjson.gz'] }
  await writeFile(join(place, 'archive.json'), JSON.stringify({ ...config, source }))
}

/**
 * The parts of all tables, without the folder and the names of attempts. Parquet is left out, as it contains the id of
 * the plan.
 */
function partsBelow(folder: string, objects: Record<string, string>): Record<string, string> {
  const parts = Object.entries(objects).filter(
    ([key]) => key.startsWith(folder) && /\/part-.*(?:csv|ndjson)$/.test(key),
  )
  return Object.fromEntries(
    parts.map(([key, content]) => [key.slice(folder.length).replace(/\.run-[\w-]+(?=\.)/, ''), content]),
  )
}
