import { toCatalogueError, type CatalogueError, type ErrorCode } from '../errors.ts'
import type { Outcome } from './create-one-user.ts'

/** The next row would meet the same. */
const ofAll = new Set<ErrorCode>(['SERVICE_UNREACHABLE', 'SERVICE_UNTRUSTED', 'SERVICE_BUSY', 'SERVICE_REDIRECTED'])

/** About the key or the address, where no row has been answered otherwise; about the row, where one has. */
const ofKey = new Set<ErrorCode>(['SERVICE_UNAUTHORIZED', 'SERVICE_NOT_FOUND'])

/** About the row, or about the service, where several rows one after the other meet it. */
const ofService = new Set<ErrorCode>(['SERVICE_FAILED', 'UNEXPECTED'])
const mostInARow = 3

/** Whether it makes sense to go on, from what became of the rows so far. */
export class SendVerdict {
  #stopped: CatalogueError | null = null
  #answered = 0
  #failedInARow = 0

  /** Why not; null where it does. */
  get stopped(): CatalogueError | null {
    return this.#stopped
  }

  add({ error }: Outcome): void {
    if (error === null || error.code === 'SERVICE_REFUSED') this.#answered++
    if (error === null || !ofService.has(error.code)) this.#failedInARow = 0
    else this.#failedInARow++
    if (error === null) return
    const isOfKey = ofKey.has(error.code) && this.#answered === 0
    if (ofAll.has(error.code) || isOfKey || this.#failedInARow === mostInARow) this.stop(error)
  }

  /** The first reason counts. */
  stop(reason: unknown): void {
    this.#stopped ??= toCatalogueError(reason)
  }
}
