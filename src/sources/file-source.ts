import type { Readable } from 'node:stream'
import { CatalogueError } from '../errors.ts'
import { BlockBuffers } from '../records/memory/block-buffers.ts'
import { BlockCutter, defaultBlockBytes, type Block, type ByteChunks } from '../records/block.ts'
import type { DocumentLines } from './document-lines.ts'
import { isUtf16, looksLikeDocument } from './file-beginning.ts'
import { joined, openFile, readFileBytes, readReusing } from './file-bytes.ts'
import { readSmallFile } from './small-file.ts'
import type { Reading, Source } from './source.ts'

export interface FileSourceOptions {
  /** What standard input is called in reports and messages. Default `<stdin>`. */
  readonly stdinName?: string | undefined
  /** False for a pipe, whose bytes come only once. True by default, except for standard input. */
  readonly canBeReadAgain?: boolean
  readonly format: 'auto' | 'ndjson' | 'json'
  readonly maxLineBytes: number
  /** Reads the bytes of a source that is not on a disk. */
  readonly readBytes?: (signal: AbortSignal) => ByteChunks
}

export const usualStdinName = '<stdin>'

/** A file of lines or one JSON document, gzip or not, as a source. `-` is `stdin`. */
export function createFileSource(path: string, stdin: Readable, options: FileSourceOptions): Source {
  const isStdin = path === '-'
  const { stdinName = usualStdinName } = options
  const name = isStdin ? stdinName : path
  const canBeReadAgain = !isStdin && options.canBeReadAgain !== false
  const { format, maxLineBytes, readBytes } = options
  const mayBeSmall = readBytes === undefined && canBeReadAgain && format !== 'json' && maxLineBytes >= defaultBlockBytes
  return {
    name,
    canBeReadAgain,
    ...(mayBeSmall && { readWhole: (room: Buffer) => readSmallFile(path, format, room) }),
    read(signal, buffers = new BlockBuffers()): Reading {
      let document: DocumentLines | null = null
      const open = readBytes ?? (() => (isStdin ? stdin : canBeReadAgain ? readReusing(path, signal) : openFile(path)))
      const bytes = readFileBytes(name, open(signal), signal)
      const blocks = readBlocks(name, bytes, { ...options, buffers }, (lines) => (document = lines))
      return { blocks, document: () => document?.meta ?? null }
    },
  }
}

async function* readBlocks(
  name: string,
  bytes: ByteChunks,
  { format, maxLineBytes, buffers }: FileSourceOptions & { readonly buffers: BlockBuffers },
  onDocument: (lines: DocumentLines) => void,
): AsyncGenerator<Block> {
  const { head, rest } = await takeBeginning(bytes)
  if (isUtf16(head)) throw new CatalogueError('SOURCE_FAILED', `${name}: expected UTF-8, got UTF-16: save it as UTF-8`)
  const whole = joined(head, rest)
  const isDocument = format === 'json' || (format === 'auto' && looksLikeDocument(head))
  const cutter = new BlockCutter({ maxLineBytes, buffers })
  const document = isDocument ? await openDocument(maxLineBytes) : null
  if (document !== null) onDocument(document)
  const chunks = document === null ? whole : readDocument(name, whole, document)
  yield* cutter.cut(chunks)
}

/** Reads the beginning, which shows the format: 64 KiB, or the whole file if it is smaller. */
async function takeBeginning(bytes: ByteChunks): Promise<{ head: Buffer; rest: ByteChunks }> {
  const chunks: Buffer[] = []
  let size = 0
  while (size < 65_536) {
    const next = await bytes.next()
    if (next.done === true) break
    chunks.push(Buffer.from(next.value))
    size += next.value.length
  }
  return { head: Buffer.concat(chunks), rest: bytes }
}

/** Loaded on demand: lines don't need the parser. */
async function openDocument(maxLineBytes: number): Promise<DocumentLines> {
  const documents = await import('./document-lines.ts')
  return new documents.DocumentLines(maxLineBytes)
}

/** The records of a document as lines. Line numbers count records. */
async function* readDocument(name: string, bytes: ByteChunks, lines: DocumentLines): ByteChunks {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) {
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        yield* toBytes(lines.push(decoder.decode(chunk.subarray(at, at + pieceBytes), { stream: true })))
      }
    }
    yield* toBytes(lines.push(decoder.decode()))
    yield* toBytes(lines.end())
  } catch (error) {
    if (error instanceof CatalogueError) throw error
    const message = `${name}: expected one whole JSON document, got: ${(error as Error).message}`
    throw new CatalogueError('SOURCE_FAILED', message, { cause: error })
  }
}

/** The parser returns all tokens of a piece at once; small pieces keep them few. */
const pieceBytes = 64 * 1024

function* toBytes(texts: Iterable<string>): Generator<Buffer> {
  for (const text of texts) yield Buffer.from(`${text}\n`)
}
