/** How many more bytes of records may be kept in memory; shared by all kinds of records. */
export interface Allowance {
  bytes: number
}

/**
 * The JSON of records as UTF-8. Records cost about 75 µs to make, so as many as the allowance covers are kept once
 * made, which makes a stream of them several times faster; the others are made anew every time. Whoever gets one must
 * not change it.
 */
export function createRecordTexts(write: (number: number) => string, allowance: Allowance): (number: number) => Buffer {
  const kept = new Map<number, Buffer>()
  return (number) => {
    const known = kept.get(number)
    if (known !== undefined) return known
    const text = Buffer.from(write(number))
    const cost = text.length + bookkeepingBytes
    if (cost <= allowance.bytes) {
      allowance.bytes -= cost
      kept.set(number, text)
    }
    return text
  }
}

/** What a buffer and its place in the map take beside its content. */
const bookkeepingBytes = 200
