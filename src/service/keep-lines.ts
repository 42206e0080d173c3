import type { ScannedLine } from './scan-lines.ts'

/** The lines that are to be kept, asked for one by one in order; without a copy where that is a single run. */
export function keepLines(
  bytes: Buffer,
  lines: readonly ScannedLine[],
  isKept: (line: ScannedLine) => boolean,
): Buffer {
  const runs: Buffer[] = []
  let start = 0
  let end = 0
  for (const line of lines) {
    if (!isKept(line)) {
      if (end > start) runs.push(bytes.subarray(start, end))
      start = line.end
    }
    end = line.end
  }
  if (end > start) runs.push(bytes.subarray(start, end))
  return runs.length === 1 && runs[0] !== undefined ? runs[0] : Buffer.concat(runs)
}
