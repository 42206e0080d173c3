/** One reading of the specification where that says nothing, contradicts itself, or may not be what is delivered. */
export interface Interpretation {
  /** The assumption, as a sentence. */
  readonly title: string
  /** The section of the specification that it is about. */
  readonly section: string
  /** What that section says, or does not show. */
  readonly says: string
  /** The reason for the assumption. */
  readonly why: string
  /** The effect on a run where the service differs. */
  readonly ifWrong: string
  /** What to change then; null where nothing has to be. */
  readonly fix: string | null
  /** True where a run reads the other form as well, so that nothing has to be changed. */
  readonly isHandled: boolean
  /** How `doctor` tells; null where no reading request can. */
  readonly doctor: string | null
  /** How to find out without `doctor`. */
  readonly byHand?: string
}
