import type { z } from 'zod'
import type { Contract } from '../contracts/contracts.ts'
import { specLocales } from '../plan/locales.ts'
import { addDrift, emptyDrift } from '../records/drift.ts'
import { validateExactly } from '../records/validate/validate-exactly.ts'
import { compileValidation, type DriftPolicy } from '../records/validate/validate-record.ts'
import type { DeliveredRecord, ParsedRecord, RecordPlace } from './parse-records.ts'
import { misuse, requireCallbacks, requireContract } from './misuse.ts'
import { nothingAfter, rejectLine, type OnReject } from './rejected-line.ts'
import { Stage } from './stage.ts'
import type { Drift } from '../manifest/manifest.ts'

export interface ValidatedRecord<Of extends Contract = Contract>
  extends RecordPlace, Pick<DeliveredRecord, 'text' | 'numbers'> {
  readonly record: z.output<Of['schema']>
  readonly contract: Of
}

export interface ValidateRecordsOptions {
  /** Gets every line that is no JSON or does not meet the contract. Without it the first such line ends the stream. */
  readonly onReject?: OnReject | undefined
  /** Gets the drift from the contract, after the last record. */
  readonly onDrift?: ((drift: Drift) => void) | undefined
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

/** Parsed records → records in the canonical form of the contract. */
export function validateRecords<const Of extends Contract>(
  contract: Of,
  options: ValidateRecordsOptions = {},
): Stage<ParsedRecord, ValidatedRecord<Of>> {
  requireContract('validateRecords', contract)
  requireCallbacks('validateRecords', { onReject: options.onReject, onDrift: options.onDrift })
  const {
    onReject,
    onDrift,
    unknownFields = 'report',
    unknownValues = 'report',
    invalidValues = 'reject',
    locales = specLocales,
  } = options
  const policy = { unknownFields, unknownValues, invalidValues: invalidValues ?? 'null' }
  const validate = validateExactly(contract, compileValidation(contract, policy, locales), policy)
  const drift = emptyDrift()
  let recent = emptyDrift()
  let recentRecords = 0

  function addRecent(): void {
    addDrift(drift, recent)
    recent = emptyDrift()
    recentRecords = 0
  }

  function validateRecord(item: DeliveredRecord): readonly ValidatedRecord<Of>[] | Promise<readonly []> {
    const { delivered, text, numbers, mayRepeatKeys = false, line, index, total, rawLine } = item
    const judged = { delivered, text, numbers: numbers ?? 'exact', mayRepeatKeys }
    // The compiled check takes only what `parseRecords` has made.
    const verdict = validate(judged, recent, numbers !== undefined)
    if (++recentRecords === recordsAtATime) addRecent()
    if (verdict.issues !== null) return nothingAfter(rejectLine(item, verdict.delivered, verdict.issues, onReject))
    const record = verdict.record as z.output<Of['schema']>
    return [{ record, text, numbers: judged.numbers, line, index, total, rawLine, contract }]
  }

  return new Stage({
    take(item) {
      if (item.kind === 'record') return validateRecord(item)
      if (item.kind === 'invalid') return nothingAfter(rejectLine(item, null, [item.issue], onReject))
      throw misuse('validateRecords', 'the records that parseRecords gives', item)
    },
    end() {
      addRecent()
      onDrift?.(drift)
      return []
    },
  })
}

const recordsAtATime = 1_000
