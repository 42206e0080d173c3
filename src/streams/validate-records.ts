import type { z } from 'zod'
import type { Contract } from '../contracts/contracts.ts'
import { specLocales } from '../plan/locales.ts'
import { emptyDrift, type Drift } from '../records/drift.ts'
import { validateExactly } from '../records/validate/validate-exactly.ts'
import { compileValidation, type DriftPolicy } from '../records/validate/validate-record.ts'
import { compileSureRecord } from '../scan/sure-record.ts'
import { deliveredProperty, type DeliveredValue, type ScannedLine } from './delivered-value.ts'
import type { DeliveredRecord, ParsedRecord, RecordPlace } from './parse-records.ts'
import { rejectLine, type OnReject } from './rejected-line.ts'
import { perScan } from './per-scan.ts'
import { showInspected } from './shown-property.ts'
import { Stage } from './stage.ts'
import { recordProperty, ValidRecord } from './valid-record.ts'

/** A record that meets its contract. */
export interface ValidatedRecord<Of extends Contract = Contract> extends RecordPlace {
  /** In the canonical form of the contract. */
  readonly record: z.output<Of['schema']>
  /** As it came, without the envelope of its line. */
  readonly delivered: unknown
  readonly contract: Of
}

export interface ValidateRecordsOptions {
  /** Gets every line that is no JSON or does not meet the contract. Without it the first one ends the stream. */
  readonly onReject?: OnReject | undefined
  /** Gets, after the last record, what came beyond the contract. */
  readonly onDrift?: ((drift: Drift) => void) | undefined
  /** What to do about fields that the contract does not list. Default report. */
  readonly unknownFields?: DriftPolicy['unknownFields'] | undefined
  /** What to do about values that the contract does not list. Default report. */
  readonly unknownValues?: DriftPolicy['unknownValues'] | undefined
  /** Values in other locales are counted as drift. Default nl, fr, en. */
  readonly locales?: readonly string[] | undefined
}

/** Parsed records → records in the canonical form of the contract. */
export function validateRecords<const Of extends Contract>(
  contract: Of,
  options: ValidateRecordsOptions = {},
): Stage<ParsedRecord, ValidatedRecord<Of>> {
  const { onReject, onDrift, unknownFields = 'report', unknownValues = 'report', locales = specLocales } = options
  const policy = { unknownFields, unknownValues }
  const validate = validateExactly(contract, compileValidation(contract, policy, locales), policy)
  const sureOf = perScan((scan) => compileSureRecord(scan, contract, policy, locales))
  const drift = emptyDrift()
  let sureRecords = 0
  let seenRecords = 0

  function validateRecord(item: DeliveredRecord): readonly ValidatedRecord<Of>[] | Promise<readonly []> {
    const value = deliveredProperty.of(item)
    // Where most records are looked at behind this stage, they are made at once.
    if (2 * seenRecords > sureRecords + mostMadeLate) return judgeRecord(item, value)
    const scanned = value?.unparsed
    const isSure = scanned && sureOf(scanned.scan)?.(scanned.bytes, drift)
    return isSure ? [toSureRecord(item, scanned, value)] : judgeRecord(item, value)
  }

  function toSureRecord(item: DeliveredRecord, line: ScannedLine, value: DeliveredValue): ValidatedRecord<Of> {
    sureRecords++
    const validated = deliveredProperty.define(toValidated(item, null as z.output<Of['schema']>), value)
    return showInspected(recordProperty.define(validated, new ValidRecord(line, value, makeRecord)))
  }

  /** Its drift is counted already. */
  function makeRecord(value: DeliveredValue): unknown {
    seenRecords++
    const { text, numbers } = value
    return validate({ delivered: value.parse(), text, numbers, mayRepeatKeys: false }, emptyDrift(), true).record
  }

  function judgeRecord(
    item: DeliveredRecord,
    value: DeliveredValue | undefined,
  ): readonly ValidatedRecord<Of>[] | Promise<readonly []> {
    const own = value?.unseen
    const { text } = item
    const { numbers = 'exact', mayRepeatKeys = false } = value ?? {}
    const verdict = validate(
      { delivered: own ?? item.delivered, text, numbers, mayRepeatKeys },
      drift,
      own !== undefined,
    )
    if (verdict.issues !== null) return nothingAfter(rejectLine(item, verdict.delivered, verdict.issues, onReject))
    const record = verdict.record as z.output<Of['schema']>
    if (value === undefined) return [{ ...toValidated(item, record), delivered: verdict.delivered }]
    // What was delivered has become the record: it is parsed again if anybody looks at it.
    if (verdict.isChanged) value.take()
    else value.shown = verdict.delivered
    return [showInspected(deliveredProperty.define(toValidated(item, record), value))]
  }

  function toValidated(item: DeliveredRecord, record: z.output<Of['schema']>): ValidatedRecord<Of> {
    const { line, index, total, rawLine } = item
    return { record, line, index, total, rawLine, contract, delivered: null }
  }

  return new Stage({
    take(item) {
      if (item.kind === 'record') return validateRecord(item)
      if (item.kind === 'invalid') return nothingAfter(rejectLine(item, null, [item.issue], onReject))
      throw new TypeError('validateRecords: expected the records that parseRecords gives')
    },
    end() {
      onDrift?.(drift)
      return []
    },
  })
}

/** A rejected line gives nothing, once whoever takes rejects is ready for more. */
export function nothingAfter(rejected: void | Promise<void>): readonly [] | Promise<readonly []> {
  return rejected === undefined ? [] : Promise.resolve(rejected).then(() => [])
}

/** Records that may be looked at before that tells anything. */
const mostMadeLate = 100
