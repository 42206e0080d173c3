import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import type { ReportManifest } from '../../../report/report-manifest.ts'
import { listAssertions } from '../lineage/list-assertions.ts'

/** A check of an asset; no text has a value of a record. */
export interface Check {
  /** `completeness`, `ledger`, `rejects_limit`, or a rule of the config, such as `products_public_price_range`. */
  readonly name: string
  readonly passed: boolean
  readonly severity: 'ERROR' | 'WARN'
  readonly expected: string
  readonly got: string
}

/** What a run has judged. Of several rules with one name the first broken one counts. */
export function listChecks(report: ReportManifest, plan: PipelinePlan): Check[] {
  const judged = listAssertions(report, report.completeness, plan).map((assertion): Check => {
    const { name, success: passed, severity, expected, actual: got } = assertion
    return { name: toCheckName(name), passed, severity: severity === 'error' ? 'ERROR' : 'WARN', expected, got }
  })
  const checks = [...judged, ...listUnjudged(report)]
  return [...new Set(checks.map(({ name }) => name))].flatMap((name) => {
    const [first, ...others] = checks.filter((check) => check.name === name)
    return [first, ...others].find((check) => check?.passed === false) ?? first ?? []
  })
}

/** Rules on the number of rows pass in a run that read a part of them: Dagster fails a step that lacks a declared check. */
function listUnjudged({ rules = [] }: ReportManifest): Check[] {
  const unjudged = rules.filter(({ result }) => result === 'unjudged')
  return unjudged.map(({ table, rule, expected }) => {
    const got = 'not judged, as a part of the rows was read'
    return { name: toCheckName(`${table}.${rule}`), passed: true, severity: 'WARN', expected, got }
  })
}

/** A name as Dagster allows it. */
function toCheckName(name: string): string {
  return name.replaceAll(/\W/g, '_')
}
