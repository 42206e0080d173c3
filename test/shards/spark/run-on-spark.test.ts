import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTasks } from '../../../src/shards/spark/run-tasks.ts'
import { skipsSpark, smallApplication, SparkCluster, toConf } from './spark-cluster.ts'
import { SparkScript } from './spark-script.ts'
import { stubCommand, StubPlan } from './stub-plan.ts'

describe.skipIf(skipsSpark)('on a cluster of Spark', { timeout: 180_000 }, () => {
  let folder: string
  let cluster: SparkCluster
  let remote: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spark-'))
    cluster = await SparkCluster.start({ folder, env: { CATALOGUE_ETL: stubCommand } })
    remote = await cluster.startConnect()
  })

  afterAll(async () => {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  })

  describe.concurrent('with a command that fails as it is asked to', () => {
    it('what may pass is repeated, and only that, and a twin wins over a shard that is stopped', async () => {
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

    it.each([
      ['asked to stop', 'SIGTERM', { code: 130, signal: null }],
      ['killed', 'SIGKILL', { code: null, signal: 'SIGKILL' }],
    ] as const)('a driver that is %s leaves no shard running', async (_, signal, end) => {
      const plan = await StubPlan.create(folder, { 0: ['hang'], 1: ['stop'] })
      const script = new SparkScript(cluster, plan.path, [
        '--master',
        cluster.master,
        '--shards',
        '0,1',
        ...toConf(smallApplication),
      ])
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

    it('executors that lack the command say which one, and how it is found', async () => {
      const plan = await StubPlan.create(folder, {})
      const [row] = await runStub(plan, [0], { command: 'no-such-command' })
      expect(row).toMatchObject({ attempt: 3, exit_code: 127 })
      expect(row!.stderr).toContain(
        'expected the command "no-such-command" in PATH, or in CATALOGUE_ETL or --command, got: ',
      )
    })
  })

  interface StubOptions {
    readonly signal?: AbortSignal
    readonly command?: string
  }

  async function runStub(plan: StubPlan, shards: readonly number[], options: StubOptions = {}) {
    const { signal = new AbortController().signal, command } = options
    const context = { env: cluster.driverEnv, signal }
    return runTasks({ plan: plan.path, shards, stage: 'rows', remote, command }, context)
  }
})

describe('without Spark', () => {
  const context = { env: { PATH: '' }, signal: new AbortController().signal }

  it('the error says which programs were looked for, and how to get one', async () => {
    const running = runTasks({ plan: 'plan', shards: [0], stage: 'rows' }, context)
    await expect(running).rejects.toMatchObject({
      code: 'PEER_MISSING',
      message: 'Spark: expected a Python with pyspark, or spark-submit, got no "python3" in PATH',
      fix: expect.stringContaining('`python3 -m pip install pyspark pyarrow`'),
    })
  })
})
