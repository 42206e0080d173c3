import { BlockBuffers } from '../../records/memory/block-buffers.ts'
import { copyBytes } from '../../records/memory/copy-bytes.ts'
import { type Block, defaultBlockBytes } from '../../records/block.ts'
import type { LinePlace, RejectsFileLine } from '../../records/reject.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { Source } from '../source.ts'
import type { FixedLine, FixedLines, FixedTexts } from './fixed-lines.ts'
import { readRejects } from './read-rejects.ts'
import type { Completeness } from '../../manifest/manifest.ts'

type Context = Pick<RequiredContext<'env' | 'signal'>, 'env' | 'signal'>

/**
 * The lines of a rejects file as a source, with corrected lines in place of the rejected ones, for records that can't
 * be read again unchanged. Lines have the places that the rejects file states. Throws ROWS_INVALID for corrections of
 * lines that are not in the file.
 */
export async function openRejectsSource(path: string, fixed: FixedLines, context: Context): Promise<Source> {
  const places: LinePlace[] = []
  const known = new Set<FixedLine>()
  for await (const { reject } of readRejects(path, context)) {
    if (reject === null) continue
    const { source, line, byteOffset, sha256 } = reject
    places.push({ source, line, byteOffset, sha256 })
    const own = findFixed(fixed, reject)
    if (own !== null) known.add(own)
  }
  fixed.check((_, line) => known.has(line), `a line that is in ${path}`)
  return {
    name: path,
    canBeReadAgain: true,
    placeOf: (line) => places[line - 1],
    read: (signal, buffers = new BlockBuffers()) => ({
      blocks: readBlocks(path, fixed, { env: context.env, signal }, buffers),
      document: () => null,
      completeness: () => onlyRejects,
    }),
  }
}

const onlyRejects: Completeness = {
  status: 'unprovable',
  reasons: ['only lines that were rejected before were read'],
  total: null,
}

function findFixed(fixed: FixedLines, { source, line, sha256 }: RejectsFileLine): FixedLine | null {
  const own = fixed.of(source).get(line)
  return own?.sha256 === sha256 ? own : null
}

async function* readBlocks(
  path: string,
  fixed: FixedLines,
  context: Context,
  buffers: BlockBuffers,
): AsyncGenerator<Block> {
  const texts = fixed.openTexts()
  let lines: Buffer[] = []
  let bytes = 0
  let byteOffset = 0
  const take = (): Block => {
    const block = toBlock(lines, bytes, byteOffset, buffers)
    byteOffset += bytes
    lines = []
    bytes = 0
    return block
  }
  try {
    for await (const { reject } of readRejects(path, context)) {
      if (reject === null) continue
      const line = toLine(reject, findFixed(fixed, reject), texts)
      if (bytes > 0 && bytes + line.length > defaultBlockBytes) yield take()
      lines.push(line)
      bytes += line.length
    }
    if (bytes > 0) yield take()
  } finally {
    texts.close()
  }
}

function toLine(reject: RejectsFileLine, own: FixedLine | null, texts: FixedTexts): Buffer {
  if (own !== null) return Buffer.from(`${texts.read(own)}\n`)
  const raw = 'raw' in reject ? Buffer.from(reject.raw) : Buffer.from(reject.rawBase64, 'base64')
  return Buffer.concat([raw, Buffer.from('\n')])
}

function toBlock(lines: readonly Buffer[], bytes: number, byteOffset: number, buffers: BlockBuffers): Block {
  const buffer = buffers.take(bytes)
  let at = 0
  for (const line of lines) {
    copyBytes(line, buffer, at)
    at += line.length
  }
  const release = () => buffers.release(buffer)
  return { bytes: buffer.subarray(0, bytes), byteOffset, droppedBytes: 0, unterminated: false, release }
}
