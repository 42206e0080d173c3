import type { Readable } from 'node:stream'
import type { Source } from '../../sources/source.ts'

export interface SourceContext {
  readonly stdin: Readable
  /** Unique to the run; part of the names of what has to wait on disk. */
  readonly token: string
  /** Told at once when something has to be asked for again. */
  readonly onWarning?: ((message: string) => void) | undefined
}

export interface OpenedSources {
  readonly sources: readonly Source[]
  /** Gives back what the sources hold, connections for instance. */
  readonly close: () => Promise<void>
}
