import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applicationSettings, skipsSpark, SparkCluster } from './spark-cluster.ts'
import { SparkScript } from './spark-script.ts'
import { stubCommand, StubPlan } from './stub-plan.ts'

/** A server of Spark Connect that soon gives up jobs whose driver is gone: by default after seven minutes. */
const impatient = {
  'spark.connect.execute.reattachable.senderMaxStreamDuration': '1s',
  'spark.connect.execute.manager.detachedTimeout': '1s',
  'spark.connect.execute.manager.maintenanceInterval': '1s',
}

describe.skipIf(skipsSpark)('on a cluster of Spark', () => {
  let folder: string
  let cluster: SparkCluster
  let remote: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spark-'))
    cluster = await SparkCluster.start({ folder, env: { CATALOGUE_ETL: stubCommand } })
    remote = await cluster.startConnect(impatient)
  })

  afterAll(async () => {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  })

  describe.concurrent('with a command that fails as it is asked to', () => {
    it('what may pass is repeated, and only that, and a twin wins over a shard that is stopped', async () => {
      const plan = await StubPlan.create(folder, { 1: [2], 2: [5], 3: ['stop'], 4: ['die'], 5: [4, 5, 1, 'die'] })
      const script = new SparkScript(cluster, plan.path, ['--remote', remote, '--shards', '0-3,4,5'])
      const { code, log, rows } = await script.ended
      expect({ code, log }).toEqual({ code: 0, log: expect.not.stringContaining('Error') })
      const ends = rows.map(({ shard, attempt, exit_code: exitCode }) => [shard, attempt, exitCode])
      expect(ends).toEqual([
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

    it('a driver that is asked to stop ends its shards and says so', async () => {
      const plan = await StubPlan.create(folder, { 0: ['hang'], 1: ['stop'] })
      const settings = Object.entries(applicationSettings).flatMap(([key, value]) => ['--conf', `${key}=${value}`])
      const script = new SparkScript(cluster, plan.path, ['--master', cluster.master, '--shards', '0,1', ...settings])
      await plan.hasBegun(2)
      script.kill('SIGTERM')
      const { code, log } = await script.ended
      expect({ code, log }).toEqual({ code: 130, log: expect.stringContaining('INTERRUPTED') })
      await plan.hasEnded()
    })

    it('a driver whose parent is killed ends its shards on a server of Spark Connect', async () => {
      const plan = await StubPlan.create(folder, { 0: ['hang'], 1: ['stop'] })
      const script = new SparkScript(cluster, plan.path, ['--remote', remote, '--shards', '0,1'])
      await plan.hasBegun(2)
      script.endInput()
      expect((await script.ended).code).toBe(130)
      await plan.hasEnded()
    })

    it('a driver that is killed leaves no shard running', async () => {
      const plan = await StubPlan.create(folder, { 0: ['hang'], 1: ['stop'] })
      const script = new SparkScript(cluster, plan.path, ['--remote', remote, '--shards', '0,1'])
      await plan.hasBegun(2)
      script.kill('SIGKILL')
      expect((await script.ended).signal).toBe('SIGKILL')
      await plan.hasEnded()
    })

    it('executors that lack the command say which one, and how it is found', async () => {
      const plan = await StubPlan.create(folder, {})
      const args = ['--remote', remote, '--shards', '0', '--command', 'no-such-command']
      const { code, rows } = await new SparkScript(cluster, plan.path, args).ended
      expect({ code, rows }).toMatchObject({ code: 0, rows: [{ attempt: 3, exit_code: 127 }] })
      expect(rows[0]!.stderr).toContain(
        'expected the command "no-such-command" in PATH, or in CATALOGUE_ETL or --command, got: ',
      )
    })
  })
})
