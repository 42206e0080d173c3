import { nameService, type LoadChoice } from '../../loads/state/choose-load.ts'
import { StaleRecords, toStaleState, type StaleState } from '../../loads/state/stale-records.ts'
import { toNextState, type NextStateFacts } from '../../loads/state/to-next-state.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { BlockOutcome } from '../../records/block-outcome.ts'
import type { RunContext } from '../../run-context.ts'
import type { RunEnd } from './outputs.ts'
import type { BackfillProgress, PublishedManifest, PublishedState } from '../../manifest/manifest.ts'

export interface PlannedLoad {
  readonly choice: LoadChoice
  /** False for a backfill, which must not move the start of the next delta. */
  readonly advancesWatermark: boolean
  readonly published: PublishedManifest | null
  readonly backfill: BackfillProgress | null
}

export interface EndedLoad {
  /** By the service's clock if it states one. */
  readonly startedAt: Date
  readonly stale: StaleState
  readonly gone: readonly string[]
}

/** Tracks stale records of a load, and makes the state for the next run. */
export class LoadState {
  readonly #load: PlannedLoad
  readonly #source: SourcePlan
  readonly #stale: StaleRecords

  constructor(source: SourcePlan, load: PlannedLoad) {
    const { choice, published } = load
    this.#load = load
    this.#source = source
    this.#stale = new StaleRecords(
      choice.kind === 'full'
        ? { known: [], asked: [] }
        : { known: [...(published?.state?.stale?.ids ?? []), ...choice.again], asked: choice.again },
    )
  }

  get repeatedRejects(): number {
    return this.#stale.repeatedRejects
  }

  add(outcome: Pick<BlockOutcome, 'rejects' | 'ids'>): void {
    this.#stale.add(outcome)
  }

  end(end: RunEnd): EndedLoad {
    const isRefused = end.read.sources.some(({ notes }) => notes?.refused !== undefined)
    const found = this.#stale.end(isRefused)
    return {
      startedAt: findStart(end),
      stale: toStaleState(this.#source, found, isRefused),
      gone: found.gone,
    }
  }

  /** Makes the next state. Warns if the service's clock is behind. */
  toNext(
    { startedAt, stale }: EndedLoad,
    { counters: { ledger } }: RunEnd,
    outputs: Pick<NextStateFacts, 'cursor' | 'changes' | 'records' | 'tables' | 'obsoleteFiles'>,
    { onWarning }: Pick<RunContext, 'onWarning'>,
  ): PublishedState {
    const { choice, advancesWatermark, published, backfill } = this.#load
    const clockWarning = findClockBehind(this.#load, startedAt)
    if (clockWarning !== null) onWarning?.(clockWarning)
    const facts = {
      ...outputs,
      choice,
      stale,
      isEmpty: ledger.lines === ledger.blank,
      advancesWatermark,
      startedAt,
      service: nameService(this.#source),
      canResume: this.#source.kind === 'service' && clockWarning === null,
      backfill,
    }
    return toNextState(facts, published?.state ?? null)
  }
}

/** By the service's clock if it states one. Later changes may be missing from the load. */
function findStart({ read, startedAt }: RunEnd): Date {
  const answers = read.sources.flatMap(({ notes, landed }) => (landed ? [] : (notes?.firstAnswerAt ?? [])))
  return new Date(
    Math.min(...(answers.length > 0 ? answers.map((answer) => Date.parse(answer)) : [startedAt.getTime()])),
  )
}

/** Warns if changes were requested from a time that is in the service's future, after an answer with a wrong clock. */
function findClockBehind({ choice, advancesWatermark }: PlannedLoad, startedAt: Date): string | null {
  if (choice.kind === 'full' || !advancesWatermark || startedAt >= choice.since) return null
  return `the service's clock is at ${startedAt.toISOString()}, before ${choice.since.toISOString()}, from where on changes were asked for: the next run reads everything`
}
