/** How far a run has come. */
export interface RunProgress {
  readonly pipeline: string
  readonly lines: number
  /** Decompressed. */
  readonly bytes: number
  /** As the stream states it; null where it states none. */
  readonly total: number | null
}
