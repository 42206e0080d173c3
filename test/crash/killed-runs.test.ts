import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { BuiltCli } from '../cli/built-cli.ts'
import { skipsPostgres, startPostgres } from '../loads/databases/postgres-server.ts'
import { depth, isDeep } from '../depth.ts'
import { CrashLane, type CrashTally } from './crash-lane.ts'
import { createPostgresTarget, duckdbTarget, filesTarget, lakeTarget, type CrashTarget } from './crash-target.ts'

/*
 * CATALOGUE_CRASH_SEED=7 draws other kill points, CATALOGUE_CRASH_KILLS=2000 more of them, and
 * CATALOGUE_CRASH_NIGHT=files:23 repeats one night.
 */
const { CATALOGUE_CRASH_SEED = '1', CATALOGUE_CRASH_KILLS = depth.kills, CATALOGUE_CRASH_NIGHT = '' } = process.env
const seed = Number(CATALOGUE_CRASH_SEED)
const [onlyTarget = '', onlyNight = ''] = CATALOGUE_CRASH_NIGHT.split(':')
const kills = onlyNight === '' ? Number(CATALOGUE_CRASH_KILLS) : 0
const killsOf = {
  files: Math.ceil(0.3 * kills),
  duckdb: Math.ceil(0.25 * kills),
  postgres: Math.ceil(0.3 * kills),
  lake: Math.ceil(0.15 * kills),
}
/** In each phase, where there are enough in all: otherwise the kill points were not those that matter. */
const fewest = kills < 200 ? 0 : 2
const timeoutMs = Math.max(1_200_000, kills * 10_000)

let cli: BuiltCli
let folder: string

beforeAll(async () => {
  ;[cli, folder] = await Promise.all([BuiltCli.build(), mkdtemp(join(tmpdir(), 'crash-'))])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.concurrent('a run that is killed at any time, and those after it, until one ends well', () => {
  test.skipIf(isOther('files'))(
    'killed runs leave the files that an undisturbed run leaves',
    { timeout: timeoutMs },
    async () => {
      const { killed, phases } = await runLane(filesTarget, killsOf.files)
      expect(killed).toBeGreaterThanOrEqual(killsOf.files)
      expect(Math.min(...Object.values(phases))).toBeGreaterThanOrEqual(fewest)
    },
  )

  test.skipIf(isOther('duckdb'))(
    'killed runs leave the rows of an undisturbed one in DuckDB files',
    { timeout: timeoutMs },
    async () => {
      const { killed, phases } = await runLane(duckdbTarget, killsOf.duckdb)
      expect(killed).toBeGreaterThanOrEqual(killsOf.duckdb)
      expect(Math.min(...Object.values(phases))).toBeGreaterThanOrEqual(fewest)
    },
  )

  test.skipIf(isOther('lake'))(
    'killed runs leave the rows of an undisturbed one in Delta tables',
    { timeout: timeoutMs },
    async () => {
      const { killed } = await runLane(lakeTarget, killsOf.lake)
      expect(killed).toBeGreaterThanOrEqual(killsOf.lake)
    },
  )

  test.skipIf(isOther('postgres') || skipsPostgres)(
    'killed runs leave the rows of an undisturbed one in a PostgreSQL server',
    { timeout: timeoutMs },
    async () => {
      const server = await startPostgres()
      try {
        const { killed, phases } = await runLane(createPostgresTarget(server), killsOf.postgres)
        expect(killed).toBeGreaterThanOrEqual(killsOf.postgres)
        expect(Math.min(...Object.values(phases))).toBeGreaterThanOrEqual(fewest)
      } finally {
        await server.stop()
      }
    },
  )
})

/** One lane stands for all by default: that of DuckDB files, which publishes others beside them. */
function isOther(target: string): boolean {
  return onlyTarget === '' ? !isDeep && target !== 'duckdb' : onlyTarget !== target
}

async function runLane(target: CrashTarget, wanted: number): Promise<CrashTally> {
  const sandbox = await startSandbox({ products: 60, seed, rateLimit: false, now: () => clock })
  try {
    const lane = await CrashLane.start({ target, cli, sandbox, folder: join(folder, target.name), seed })
    const tally = await (onlyNight === '' ? lane.runNights(wanted) : lane.runOnly(Number(onlyNight)))
    const { killed, phases, late } = tally
    console.info(`${target.name}: ${killed} runs killed ${JSON.stringify(phases)}, ${late} ended before`)
    return tally
  } finally {
    await sandbox.close()
  }
}

/** It never advances, so that runs of one night have the same start; and ahead of the system's, so that no full run is due. */
const clock = Date.UTC(2040, 0, 1)
