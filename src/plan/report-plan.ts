export interface ReportPlan {
  readonly manifest: { readonly path: string }
  readonly rejects: { readonly path: string }
  readonly profile: { readonly path: string } | null
  readonly page: PagePlan | null
  /** The history of runs; null if none is kept. */
  readonly runs: { readonly path: string } | null
  readonly dataPackage: { readonly path: string } | null
  /** Absent if the config has none; the environment may still ask for events. */
  readonly lineage?: LineagePlan | undefined
}

/** A collector of OpenLineage events, or a file of them. */
export type LineagePlan = ({ readonly url: string } | { readonly path: string }) & {
  readonly namespace?: string | undefined
}

export interface PagePlan {
  readonly path: string
  readonly examples: boolean
}
