import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { CrashRuns, type CrashRunsOptions } from './crash-runs.ts'
import { createPlace, type CrashTarget, type Place, type Published } from './crash-target.ts'
import { findDifference, findDifferenceOf } from './find-difference.ts'
import { planNight, type Night, type Phase } from './moments.ts'

/** The ends of the runs that were to be killed. */
export interface CrashTally {
  /** The number of runs killed in each phase that runs over this target have. */
  readonly phases: Partial<Record<Phase, number>>
  killed: number
  /** Runs that ended before they were killed. */
  late: number
}

export interface CrashLaneOptions extends CrashRunsOptions {
  readonly seed: number
}

/** The targets of the killed runs and of an undisturbed twin, and what the night before left. */
interface Sides {
  readonly own: Place
  readonly twin: Place
  readonly before: Published
}

/**
 * Nights over one target. In each the products change, then runs are killed until one ends well, and what is published
 * is compared with what a twin has, that nobody disturbs.
 */
export class CrashLane {
  readonly #options: CrashLaneOptions
  readonly #runs: CrashRuns
  readonly #tally: CrashTally
  #sides: Sides | null = null

  private constructor(options: CrashLaneOptions, runs: CrashRuns) {
    this.#options = options
    this.#runs = runs
    this.#tally = { phases: Object.fromEntries(runs.phases.map((phase) => [phase, 0])), killed: 0, late: 0 }
  }

  static async start(options: CrashLaneOptions): Promise<CrashLane> {
    return new CrashLane(options, await CrashRuns.start(options))
  }

  /** Night after night until this number of runs was killed. */
  async runNights(kills: number): Promise<CrashTally> {
    for (let number = 0; this.#tally.killed < kills; number++) {
      const { moments, ...night } = this.#plan(number)
      await this.#runNight({ ...night, moments: moments.slice(0, kills - this.#tally.killed) })
    }
    return this.#tally
  }

  /** One night, to look into a failure: the nights before it since the last beginning pass undisturbed. */
  async runOnly(number: number): Promise<CrashTally> {
    const nights = Array.from({ length: number + 1 }, (_, each) => this.#plan(each))
    const first = nights.findLastIndex(({ isFirst }) => isFirst)
    for (const { days } of nights.slice(0, first)) this.#options.sandbox.advance(days)
    for (const night of nights.slice(first)) {
      await this.#runNight(night.number === number ? night : { ...night, moments: [] })
    }
    return this.#tally
  }

  #plan(number: number): Night {
    return planNight(this.#options.seed, this.#options.target.name, number)
  }

  async #runNight(night: Night): Promise<void> {
    const { sandbox, target, seed } = this.#options
    const sides = night.isFirst || this.#sides === null ? await this.#begin(night) : this.#sides
    sandbox.advance(night.days)
    await this.#runs.run(sides.twin, night.isFull)
    const after = await target.read(sides.twin)
    try {
      await this.#runUntilWell(night, sides, after)
    } catch (error) {
      const repeat = `CATALOGUE_CRASH_SEED=${seed} CATALOGUE_CRASH_NIGHT=${target.name}:${night.number}`
      const what = `${target.name}, night ${night.number}, killed at ${JSON.stringify(night.moments)}`
      throw new Error(`${what}: ${String(error)}\nto repeat it: ${repeat}`, { cause: error })
    }
    this.#sides = { ...sides, before: after }
  }

  async #begin({ number }: Night): Promise<Sides> {
    const { folder } = this.#options
    const [own, twin] = [await createPlace(folder, `own_${number}`), await createPlace(folder, `twin_${number}`)]
    return { own, twin, before: {} }
  }

  async #runUntilWell({ isFull, moments }: Night, { own, twin, before }: Sides, after: Published): Promise<void> {
    const { target } = this.#options
    for (const moment of moments) {
      this.#count(await this.#runs.kill(own, isFull, moment))
      checkWhole(await target.read(own), before, after)
    }
    await this.#runs.run(own, isFull)
    const difference = findDifference(await target.read(own), after)
    assert.equal(difference, null, `after the next run: ${difference}`)
    assert.deepEqual(await listNames(own, target), await listNames(twin, target))
    assert.deepEqual(await this.#runs.showState(own), await this.#runs.showState(twin))
  }

  #count(phase: Phase | null): void {
    if (phase === null) return void this.#tally.late++
    this.#tally.phases[phase] = (this.#tally.phases[phase] ?? 0) + 1
    this.#tally.killed++
  }
}

/** All that is published at once is as it was or as it is to be; nothing in between. */
function checkWhole(published: Published, before: Published, after: Published): void {
  // Files are left out while they are being put in place.
  for (const [name, tables] of Object.entries(published)) {
    const differences = [before, after].map((version) => findDifferenceOf(tables, version[name]))
    if (differences.includes(null)) continue
    throw new Error(`right after the kill, ${name} is neither as before nor as after: ${differences.join('; ')}`)
  }
}

/** Lists all files and folders, without the names of runs: no staging file, journal or lock is left. */
async function listNames({ folder }: Place, { ownNames }: CrashTarget): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  const compared = names.filter((name) => name.endsWith('.staging') || !name.startsWith(`${ownNames}/`))
  return compared.map((name) => name.replace(/-[\da-f]{8}(?=\.\w+$)/, '')).toSorted()
}
