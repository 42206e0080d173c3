/** A unit that measures are delivered in, and how many grams or millimetres it is. */
export interface Unit {
  readonly name: string
  readonly size: number
}

/** The more often listed, the more often delivered. */
export const weightUnits: readonly Unit[] = [gram(), gram(), gram(), { name: 'kg', size: 1000 }]
export const lengthUnits: readonly Unit[] = [millimetre(), millimetre(), millimetre(), { name: 'cm', size: 10 }]

function gram(): Unit {
  return { name: 'g', size: 1 }
}

function millimetre(): Unit {
  return { name: 'mm', size: 1 }
}
