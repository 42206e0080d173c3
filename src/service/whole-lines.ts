const newline = 0x0a

/**
 * The bytes in runs of whole lines, as they come. Only the very last run may lack its line break; it is a single line
 * then. Of a line that comes in several pieces only the beginning is kept where it is longer than `maxLineBytes` (one
 * byte over), so memory is bounded.
 */
export async function* readWholeLines(chunks: AsyncIterable<Buffer>, maxLineBytes: number): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let begunBytes = 0
  const keep = (part: Buffer): void => {
    const kept = part.subarray(0, Math.max(0, maxLineBytes + 1 - begunBytes))
    if (kept.length > 0) begun.push(kept)
    begunBytes += kept.length
  }
  for await (const chunk of chunks) {
    const first = chunk.indexOf(newline)
    if (first < 0) {
      keep(chunk)
      continue
    }
    let start = 0
    if (begunBytes > 0) {
      keep(chunk.subarray(0, first))
      yield Buffer.concat([...begun, lineBreak])
      start = first + 1
    }
    const end = chunk.lastIndexOf(newline) + 1
    if (end > start) yield chunk.subarray(start, end)
    begun = []
    begunBytes = 0
    keep(chunk.subarray(end))
  }
  if (begunBytes > 0) yield Buffer.concat(begun)
}

const lineBreak = Buffer.from('\n')
