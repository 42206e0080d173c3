/** A part of the config that did probably not do what was meant, as the run shows. */
export interface Doubt {
  readonly kind: 'condition' | 'keys' | 'locale' | 'values' | 'speed'
  /** As of a finding. */
  readonly severity: 'wrong' | 'look' | 'note'
  /** How many records, rows or values it is about. */
  readonly count: number
  /** In words, without a value of a record. */
  readonly text: string
  /** Values of the source that were probably meant. */
  readonly near?: readonly string[] | undefined
  /** Values that occur, if none is near. */
  readonly values?: readonly string[] | undefined
}

/** `none of 3 records meets where status: Active; did you mean active?` */
export function tellDoubt({ text, near = [], values = [] }: Doubt, examples = true): string {
  if (near.length > 0) return `${text}; did you mean ${near.join(' or ')}?`
  return examples && values.length > 0 ? `${text}; values that occur: ${values.join(', ')}` : text
}
