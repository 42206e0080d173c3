import { BlockCutter, type Block } from '../records/block.ts'
import { openFile, readFileBytes } from './file-bytes.ts'
import { LandingCheck } from './landing-check.ts'
import type { Landing } from './landing-manifest.ts'
import type { LandedFrom, Reading, Source, SourceNotes } from './source.ts'

/**
 * A file that `fetch` landed, as a source. Its verdict is that of the answers it was landed from; a file that is not as
 * it was landed ends in SOURCE_DAMAGED instead, which is found out while it is read.
 */
export function createLandedSource(
  path: string,
  landing: Landing,
  { maxLineBytes }: { readonly maxLineBytes: number },
): Source {
  return {
    name: path,
    canBeReadAgain: true,
    landed: toLandedFrom(landing),
    read(signal): Reading {
      const check = new LandingCheck(path, landing)
      const bytes = readFileBytes(path, openFile(path), signal, (chunk) => check.take(chunk))
      return {
        blocks: cutBlocks(bytes, maxLineBytes, check, signal),
        document: () => null,
        completeness: () => check.completeness,
        notes: () => toNotes(landing),
      }
    },
  }
}

async function* cutBlocks(
  bytes: AsyncGenerator<Buffer>,
  maxLineBytes: number,
  check: LandingCheck,
  signal: AbortSignal,
): AsyncGenerator<Block> {
  const cutter = new BlockCutter({ maxLineBytes })
  for await (const chunk of bytes) yield* cutter.push(chunk)
  yield* cutter.end()
  // An abort ends the bytes early.
  if (!signal.aborted) check.finish()
}

function toLandedFrom({ endpoint, baseUrl, startedAt, file }: Landing): LandedFrom {
  return { endpoint, baseUrl, fetchedAt: startedAt, sha256: file.sha256 }
}

function toNotes({ firstAnswerAt, notes }: Landing): SourceNotes {
  return { firstAnswerAt: firstAnswerAt === null ? null : new Date(firstAnswerAt), ...notes }
}
