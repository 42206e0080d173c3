/** The order of texts by their bytes in UTF-8, which is DuckDB's. Below 0 where the first one comes first. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0
  // UTF-16 differs from UTF-8 only where pairs of code units are, which are written with what lies below U+E000.
  if (hasPairs.test(one) || hasPairs.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return one < other ? -1 : 1
}

const hasPairs = /[\ud800-\udfff]/
