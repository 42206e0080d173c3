export interface ReportPlan {
  readonly manifest: { readonly path: string }
  readonly rejects: { readonly path: string }
  readonly profile: { readonly path: string } | null
  readonly page: PagePlan | null
  readonly dataPackage: { readonly path: string } | null
}

export interface PagePlan {
  readonly path: string
  readonly examples: boolean
}
