import type { AnyContract, Contract, ContractName } from '../contracts/contracts.ts'
import { toContractRef } from '../contracts/extended/extend-contract.ts'
import { type ContractOf, toContract } from '../contracts/extended/given-contract.ts'
import type { OutputOf } from '../contracts/standard-schema.ts'
import { isLocaleCode, specLocales } from '../plan/locales.ts'
import { addDrift, emptyDrift } from '../records/drift.ts'
import { isObject } from '../records/json/json-values.ts'
import { type ExactVerdict, validateExactly } from '../records/validate/validate-exactly.ts'
import { validateForeign } from '../records/validate/validate-foreign.ts'
import { compileValidation, type DriftPolicy } from '../records/validate/validate-record.ts'
import type { DeliveredRecord, ParsedRecord, RecordPlace } from './parse-records.ts'
import { aFunction, listOf, misuse, oneOf, type OptionKinds, requireOptions, toKind } from '../check-options.ts'
import { nothingAfter, rejectLine, type OnReject } from './rejected-line.ts'
import { Stage } from './stage.ts'
import type { Drift } from '../manifest/manifest.ts'

export interface ValidatedRecord<Of extends AnyContract = AnyContract>
  extends RecordPlace, Pick<DeliveredRecord, 'text' | 'numbers'> {
  readonly record: OutputOf<Of['schema']>
  readonly contract: Of
}

export interface ValidateRecordsOptions {
  /** Gets every line that is no JSON or does not meet the contract. Without it the first such line ends the stream. */
  readonly onReject?: OnReject | undefined
  /** Gets the drift from the contract, after the last record. */
  readonly onDrift?: ((drift: Drift) => void | Promise<void>) | undefined
  /** Fields that the contract does not list are reported, rejected or ignored. Default report. */
  readonly unknownFields?: DriftPolicy['unknownFields'] | undefined
  /** Values that the contract does not list are reported or rejected. Default report. */
  readonly unknownValues?: DriftPolicy['unknownValues'] | undefined
  /**
   * `reject`: a value of a wrong type rejects its record. `null`: it becomes null and is counted as drift. Default
   * reject.
   */
  readonly invalidValues?: DriftPolicy['invalidValues'] | null | undefined
  /** Values in other locales are counted as drift. Default nl, fr, en. */
  readonly locales?: readonly string[] | undefined
}

/**
 * Parsed records → records in the canonical form of the contract, or of the one that is named. A contract may have a
 * schema of its own, of any library with Standard Schema: `{ ...contract, schema }`. It gets the delivered record, its
 * output is the record, a refusal is a reject, and a promise is waited for.
 */
export function validateRecords<const Of extends AnyContract | ContractName>(
  contract: Of,
  options: ValidateRecordsOptions = {},
): Stage<ParsedRecord, ValidatedRecord<ContractOf<Of>>> {
  const known = toContract('validateRecords', contract) as ContractOf<Of>
  requireOptions('validateRecords', options, validateOptions)
  const {
    onReject,
    onDrift,
    unknownFields = 'report',
    unknownValues = 'report',
    invalidValues = 'reject',
    locales = specLocales,
  } = options
  const policy = { unknownFields, unknownValues, invalidValues: invalidValues ?? 'null' }
  const judge = compileJudge(known, policy, locales)
  type Validated = readonly ValidatedRecord<ContractOf<Of>>[]
  const drift = emptyDrift()
  let recent = emptyDrift()
  let recentRecords = 0

  function addRecent(): void {
    addDrift(drift, recent)
    recent = emptyDrift()
    recentRecords = 0
  }

  function validateRecord(item: DeliveredRecord): Validated | Promise<Validated> {
    const { delivered, text, numbers, mayRepeatKeys = false } = item
    const judged = { delivered, text, numbers: numbers ?? 'exact', mayRepeatKeys }
    // The compiled check takes only what `parseRecords` has made.
    const verdict = judge(judged, recent, numbers !== undefined)
    return verdict instanceof Promise ? verdict.then((awaited) => give(item, awaited)) : give(item, verdict)
  }

  function give(item: DeliveredRecord, verdict: ExactVerdict): Validated | Promise<Validated> {
    if (++recentRecords === recordsAtATime) addRecent()
    if (verdict.issues !== null) return nothingAfter(rejectLine(item, verdict.delivered, verdict.issues, onReject))
    if (!isObject(verdict.record)) throw misuse('validateRecords', 'contract.schema to give an object', verdict.record)
    const { text, numbers = 'exact', line, index, total, rawLine } = item
    const record = verdict.record as OutputOf<ContractOf<Of>['schema']>
    return [{ record, text, numbers, line, index, total, rawLine, contract: known }]
  }

  return new Stage({
    take(item) {
      if (item.kind === 'record') return validateRecord(item)
      if (item.kind === 'invalid') return nothingAfter(rejectLine(item, null, [item.issue], onReject))
      throw misuse('validateRecords', 'the records that parseRecords gives', item)
    },
    async end() {
      addRecent()
      await onDrift?.(drift)
      return []
    },
  })
}

export const validateOptions: OptionKinds<ValidateRecordsOptions> = {
  onReject: aFunction,
  onDrift: aFunction,
  unknownFields: oneOf('report', 'ignore', 'reject'),
  unknownValues: oneOf('report', 'reject'),
  invalidValues: oneOf('reject', 'null', null),
  locales: listOf(toKind('the code of a locale such as nl or en_AU', isLocale)),
}

function isLocale(value: unknown): boolean {
  return typeof value === 'string' && isLocaleCode(value)
}

/** The fast check is that of the package's own schemas: another one judges every record itself. */
function compileJudge(contract: AnyContract, policy: DriftPolicy, locales: readonly string[]) {
  if (toContractRef(contract) === null) return validateForeign(contract, policy, locales)
  const own = contract as Contract
  return validateExactly(own, compileValidation(own, policy, locales), policy)
}

const recordsAtATime = 1_000
