import type { NoteBook } from './reading-notes.ts'
import type { ServiceClient } from './service-client.ts'

/** What every way to read an answer needs. */
export interface ReadContext {
  /** In messages: the endpoint, and which of its requests. */
  readonly name: string
  readonly client: ServiceClient
  readonly notes: NoteBook
  readonly maxLineBytes: number
  readonly signal: AbortSignal
}
