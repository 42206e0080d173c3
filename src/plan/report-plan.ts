/** The files that tell of a run, beside its outputs. */
export interface ReportPlan {
  readonly manifest: { readonly path: string }
  readonly rejects: { readonly path: string }
  /** Null for `profile: false`. */
  readonly profile: { readonly path: string } | null
  /** Null for `report: false`. */
  readonly page: PagePlan | null
  /** Null unless `dataPackage: true`. */
  readonly dataPackage: { readonly path: string } | null
}

export interface PagePlan {
  readonly path: string
  /** Whether the page shows values of records. */
  readonly examples: boolean
}
