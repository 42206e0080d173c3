import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { contracts, isContractName, type ContractName } from '../../contracts/contracts.ts'
import { emptyDrift } from '../../records/drift.ts'
import { parseText } from '../../records/parse-line.ts'
import type { Reject } from '../../records/reject.ts'
import { compileValidation } from '../../records/validate/validate-record.ts'

/**
 * The end of a message about lines that don't meet their contract: the one of the other version where it accepts all of
 * them, else a question. Nothing where something else is wrong with the lines, or an endpoint says what they are.
 */
export function suggestContract({ contract, source }: PipelinePlan, rejects: readonly Reject[]): string {
  const texts = rejects.flatMap(({ issues, raw }) =>
    issues.some(({ code }) => code === 'invalid_type') && 'raw' in raw ? [raw.raw] : [],
  )
  if (source.kind !== 'files' || texts.length === 0) return ''
  const other = toOtherVersion(contract)
  if (other === null || !texts.every((text) => isAccepted(text, other)))
    return `; is it ${contract}? see source.contract`
  const lines = texts.length === 1 ? 'this line' : `the first ${texts.length} such lines`
  return `; ${other} accepts ${lines}: is it that? see source.contract`
}

function toOtherVersion(name: ContractName): ContractName | null {
  const other = name.startsWith('v3/') ? name.replace('v3/', 'v4/') : name.replace('v4/', 'v3/')
  return other !== name && isContractName(other) ? other : null
}

function isAccepted(text: string, contract: ContractName): boolean {
  const parsed = parseText(text, false)
  if (parsed.kind !== 'record') return false
  const validate = compileValidation(contracts[contract], { unknownFields: 'ignore', unknownValues: 'report' }, [])
  return validate(parsed.delivered, emptyDrift()).issues === null
}
