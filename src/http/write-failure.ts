import { CatalogueError } from '../errors.ts'
import type { Refusal } from './refusal.ts'

export interface WriteFailureDetails {
  /** Whether the service may have done what was asked, though it did not say so. */
  readonly mayHaveHappened: boolean
  /** Null where no answer came. */
  readonly refusal: Refusal | null
  readonly retryAfterMs: number | null
}

/** Why a request that changes something was not answered as it was meant to be. */
export class WriteFailure extends CatalogueError {
  readonly details: WriteFailureDetails

  constructor({ code, message, cause, fix }: CatalogueError, details: WriteFailureDetails) {
    super(code, message, { cause, fix })
    this.details = details
  }
}

/** What is known to have been refused, or never to have reached the service, whoever tells. */
const surelyNot: ReadonlySet<string> = new Set(['SERVICE_UNREACHABLE', 'SERVICE_UNTRUSTED', 'SERVICE_BUSY'])

/** Whether a request that changes something may have done so, though it failed like this. */
export function mayHaveHappened(error: unknown): boolean {
  if (error instanceof WriteFailure) return error.details.mayHaveHappened
  return !(error instanceof CatalogueError && surelyNot.has(error.code))
}
