import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { DatabaseLoad, StaleMemory } from '../../loads/databases/database-output.ts'
import type { LoadChoice } from '../../loads/state/choose-load.ts'

/** What databases are told of a load: some of it is known only when all is read. */
export class PendingLoad implements DatabaseLoad {
  readonly kind: DatabaseLoad['kind']
  readonly since: Date | null
  readonly refresh: boolean
  readonly configHash: string
  readonly maxRemoved: DatabaseLoad['maxRemoved']
  readonly #advancesWatermark: boolean
  #runId = ''
  #startedAt = new Date(0)
  #stale: StaleMemory | null = null

  constructor(
    { configHash }: Pick<PipelinePlan, 'configHash'>,
    { maxRemoved }: Pick<DatabaseLoad, 'maxRemoved'>,
    {
      choice,
      refresh,
      advancesWatermark,
    }: { readonly choice: LoadChoice; readonly refresh: boolean; readonly advancesWatermark: boolean },
  ) {
    this.kind = choice.kind
    this.refresh = refresh
    this.since = choice.kind === 'delta' && advancesWatermark ? choice.since : null
    this.configHash = configHash
    this.maxRemoved = maxRemoved
    this.#advancesWatermark = advancesWatermark
  }

  get runId(): string {
    return this.#runId
  }

  get startedAt(): Date {
    return this.#startedAt
  }

  get syncedUntil(): Date | null {
    return this.#advancesWatermark ? this.#startedAt : null
  }

  get stale(): StaleMemory | null {
    return this.#stale
  }

  end(runId: string, startedAt: Date, stale: StaleMemory): void {
    this.#stale = stale
    this.#runId = runId
    this.#startedAt = startedAt
  }
}
