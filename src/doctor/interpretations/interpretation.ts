/** One assumption where the specification is silent, contradicts itself or may differ from what is delivered. */
export interface Interpretation {
  readonly title: string
  readonly section: string
  /** What the section says or leaves out. */
  readonly says: string
  readonly why: string
  readonly ifWrong: string
  /** What to change then; null if nothing. */
  readonly fix: string | null
  /** Whether runs also read the other form, so nothing has to be changed. */
  readonly isHandled: boolean
  /** How `doctor` decides; null if no reading request can. */
  readonly doctor: string | null
  readonly byHand?: string
}
