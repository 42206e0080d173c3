import { pathOf, type StandardIssue, type StandardSchema } from '../contracts/standard-schema.ts'
import type { OwnModule } from './flatten/table-plan.ts'
import { callOwnCode, OwnCodeError } from './own-code.ts'
import { formatPath, type Issue } from './reject.ts'
import type { CanonicalRecord } from './validate/validate-record.ts'

/** A schema of a config that valid records have to meet, too. `module` is where it is from, with the hash of that file. */
export interface OwnCheck {
  readonly version: string
  readonly module?: OwnModule
  readonly validate: StandardSchema['~standard']['validate']
}

/** The reasons of the schema to refuse a record; none if it takes it. Its output is not used. */
export function compileOwnCheck({ validate, module }: OwnCheck): (record: CanonicalRecord) => readonly Issue[] {
  return (record) => {
    const where = () => `record "${String(record['id'])}", check${module === undefined ? '' : ` by ${module.use}`}`
    const verdict = callOwnCode(() => validate(record), where, 'schema')
    if (!isVerdict(verdict)) {
      const message = `${where()}: expected a value or issues, as Standard Schema has them, got neither`
      throw new OwnCodeError(message, 'schema')
    }
    return verdict.issues === undefined ? [] : toIssues(verdict.issues)
  }
}

interface Verdict {
  readonly issues?: readonly StandardIssue[] | undefined
}

function isVerdict(verdict: unknown): verdict is Verdict {
  if (typeof verdict !== 'object' || verdict === null) return false
  const { issues } = verdict as { readonly issues?: unknown }
  return issues === undefined ? 'value' in verdict : Array.isArray(issues)
}

function toIssues(issues: readonly StandardIssue[]): Issue[] {
  const given = issues.length === 0 ? [{ message: '' }] : issues
  return given.map((issue) => {
    return {
      code: 'failed_check',
      path: formatPath(pathOf(issue)),
      message: issue.message || 'The check gave no reason',
    }
  })
}
