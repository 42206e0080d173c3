/** One reading of a place where the specification says nothing, contradicts itself, or may not be what is delivered. */
export interface Interpretation {
  /** The assumption, as a sentence. */
  readonly title: string
  readonly section: string
  /** What that section says, or does not show. */
  readonly says: string
  readonly why: string
  /** The effect on a run if the service differs. */
  readonly ifWrong: string
  /** What to change then; null if nothing has to be. */
  readonly fix: string | null
  /** True if a run reads the other form as well, so that nothing has to be changed. */
  readonly isHandled: boolean
  /** How `doctor` tells; null if no reading request can. */
  readonly doctor: string | null
  /** How to find out without `doctor`. */
  readonly byHand?: string
}
