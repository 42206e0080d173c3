import { decode, encode, type SourceMapMappings, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import type { OutputChunk } from 'rolldown'

/** Where the code of a chunk is from: by line, and the column from which on it is. */
export interface Origins {
  readonly sources: readonly string[]
  readonly lines: SourceMapMappings
}

export function readOrigins({ map }: OutputChunk): Origins {
  return map === null ? { sources: [], lines: [] } : { sources: map.sources, lines: decode(map.mappings) }
}

/**
 * The map of small code to the lines of `src/`, without their text and without names: a fifth of a whole one. `mappings` lead
 * to the code that was made small, whose lines are those of the chunk. In the file `before` lines come before it, and its
 * first line begins `shift` columns further on. Null if nothing of it is from `src/`.
 */
export function toLineMap(
  mappings: string,
  { sources, lines }: Origins,
  { before = 0, shift = 0, folder = '../../' } = {},
): string | null {
  const own = [...new Set(sources.filter((source) => source.startsWith('src/')))]
  if (own.length === 0) return null
  const indexes = sources.map((source) => own.indexOf(source))
  const found = decode(mappings).map((segments, line) => {
    let last = ''
    return segments.flatMap(([from, , chunkLine = 0, chunkColumn = 0]): SourceMapSegment[] => {
      const [, source = -1, sourceLine = 0] = findSegment(lines[chunkLine] ?? [], chunkColumn) ?? []
      const index = indexes[source] ?? -1
      const place = index < 0 ? '' : `${index}:${sourceLine}`
      if (place === last) return []
      last = place
      const column = line === 0 ? from + shift : from
      return [index < 0 ? [column] : [column, index, sourceLine, 0]]
    })
  })
  const all = [...Array.from({ length: before }, () => []), ...found]
  return JSON.stringify({ version: 3, sources: own.map((source) => folder + source), names: [], mappings: encode(all) })
}

/** The last segment that begins at the column, or before. */
function findSegment(segments: readonly SourceMapSegment[], column: number): SourceMapSegment | undefined {
  return segments.findLast(([from]) => from <= column) ?? segments[0]
}
