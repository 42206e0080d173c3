/** The options of every command on a plan of shards. */
export interface PlanOptions {
  readonly env?: readonly string[]
  readonly json?: true
}
