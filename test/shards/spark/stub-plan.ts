import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The command of stub-command.mjs, which stands in for the real one on executors. */
export const stubCommand = `${process.execPath} ${fileURLToPath(new URL('stub-command.mjs', import.meta.url))}`

/** How the attempts of a shard end, by shard. Attempts that are not listed succeed. */
type Ways = Readonly<Record<number, readonly (number | 'hang' | 'stop' | 'die')[]>>

/** The folder of a plan for the stub. */
export class StubPlan {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async create(folder: string, ways: Ways): Promise<StubPlan> {
    const path = await mkdtemp(join(folder, 'plan-'))
    await mkdir(join(path, 'starts'))
    await writeFile(join(path, 'ways.json'), JSON.stringify(ways))
    return new StubPlan(path)
  }

  async readAttempts(): Promise<{ readonly pid: number; readonly workers: string }[]> {
    const names = (await readdir(join(this.path, 'starts'))).filter((name) => name.endsWith('.json'))
    const texts = await Promise.all(names.map((name) => readFile(join(this.path, 'starts', name), 'utf8')))
    return texts.map((text) => JSON.parse(text) as { pid: number; workers: string })
  }

  /** Resolves once a number of attempts has begun; throws if they don't. */
  async hasBegun(attempts: number): Promise<void> {
    const until = Date.now() + 120_000
    while ((await this.readAttempts()).length < attempts) {
      if (Date.now() > until) throw new Error(`expected ${attempts} attempts to begin, got fewer`)
      await sleep(50)
    }
  }

  /**
   * Resolves once all attempts have ended; throws if one doesn't within the time in which Spark ends tasks that it gave
   * up.
   */
  async hasEnded(): Promise<void> {
    const attempts = await this.readAttempts()
    const until = Date.now() + 90_000
    while (attempts.some(({ pid }) => isRunning(pid))) {
      if (Date.now() > until) throw new Error(`expected no attempt to run, got ${JSON.stringify(attempts)}`)
      await sleep(50)
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
