import { createGunzip } from 'node:zlib'
import type { BlockBuffers } from '../../memory/block-buffers.ts'
import { noBytes } from '../../memory/copy-bytes.ts'
import { releaseMemory } from '../../memory/release-memory.ts'
import { defaultBlockBytes } from '../../records/block.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { CompressedFile, InflatedFile, Source } from '../../sources/source.ts'
import { mapInOrder } from './map-in-order.ts'

/** A source in its turn. */
export interface NextSource {
  readonly source: Source
  /** The bytes of a small gzip file, valid until the next source is asked for; null where the source has to be read. */
  readonly inflated: InflatedFile | null
}

/**
 * Gives the sources in their order. Small gzip files are decompressed some MiB ahead, in the threads of zlib, while this
 * one does other work. Several are one stream of gzip members: to open a stream for each takes longer than its lines.
 */
export async function* inflateAhead(
  sources: readonly Source[],
  { buffers, signal }: RequiredContext<'signal'> & { readonly buffers: BlockBuffers },
): AsyncGenerator<NextSource> {
  const read = () => readBatches(sources, buffers)
  const inflateBatch = async (batch: Batch) => ({ ...batch, lines: await inflate(batch, buffers) })
  for await (const { files, lines } of mapInOrder(read, inflateBatch, { ahead: batchesAhead, signal })) {
    let start = 0
    for (const { source, onDisk, bytes } of files) {
      yield { source, inflated: lines && { onDisk, bytes: lines.subarray(start, start + bytes) } }
      start += bytes
    }
    if (lines !== null) releaseMemory(new Uint8Array(lines.buffer))
  }
}

const batchesAhead = 3

/** Small gzip files, or one other source. */
interface Batch extends CompressedFile {
  readonly files: readonly (CompressedFile & { readonly source: Source })[]
  /** Holds the files as they are on disk, one behind the other. */
  readonly room: Buffer
}

async function* readBatches(sources: readonly Source[], buffers: BlockBuffers): AsyncGenerator<Batch> {
  for (let at = 0; at < sources.length;) {
    const batch = readBatch(sources, at, buffers)
    at += batch.files.length
    yield batch
  }
}

/** Reads small gzip files as long as they say that together they become 1 MiB at most. */
function readBatch(sources: readonly Source[], first: number, buffers: BlockBuffers): Batch {
  const files: Batch['files'][number][] = []
  let room: Buffer = noBytes
  let [onDisk, bytes] = [0, 0]
  for (const source of sources.slice(first, first + mostFiles)) {
    if (source.readCompressed === undefined) break
    if (room.length === 0) room = buffers.take(defaultBlockBytes)
    const file = source.readCompressed(room.subarray(onDisk, defaultBlockBytes))
    if (file === null || bytes + file.bytes > defaultBlockBytes) break
    files.push({ source, ...file })
    onDisk += file.onDisk
    bytes += file.bytes
  }
  if (files.length === 0) files.push({ source: sources[first] as Source, onDisk: 0, bytes: 0 })
  return { files, room, onDisk, bytes }
}

/** Keeps this thread from reading thousands of tiny files at a time. */
const mostFiles = 256

/** Decompresses all files. Null where not just as much comes as they say: then each is read alone, which says what is wrong. */
async function inflate({ room, onDisk, bytes }: Batch, buffers: BlockBuffers): Promise<Buffer<ArrayBuffer> | null> {
  try {
    return bytes === 0 ? null : await gunzip(room.subarray(0, onDisk), bytes)
  } catch {
    return null
  } finally {
    buffers.release(room)
  }
}

async function gunzip(members: Buffer, bytes: number): Promise<Buffer<ArrayBuffer> | null> {
  const stream = createGunzip({ chunkSize: Math.max(minChunkBytes, bytes + 1) })
  stream.end(members)
  let lines: Buffer<ArrayBuffer> | null = null
  for await (const chunk of stream as AsyncIterable<Buffer<ArrayBuffer>>) {
    if (lines !== null || chunk.length !== bytes) return null
    lines = chunk
  }
  // What follows the end of a member may be skipped as padding.
  return stream.bytesWritten === members.length ? lines : null
}

/** Smaller ones are part of a buffer that others use. */
const minChunkBytes = 16 * 1024
