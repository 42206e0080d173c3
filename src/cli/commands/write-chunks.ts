import { createWriteStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { CatalogueError, toOutputCode } from '../../errors.ts'
import { createFolders } from '../../publish/file-system.ts'
import type { Terminal } from '../terminal.ts'

/** Writes chunks to standard output. A reader that has seen enough, such as head, closes the pipe: no failure. */
export async function writeChunksToStdout(chunks: Iterable<Uint8Array>, { stdout, signal }: Terminal): Promise<void> {
  try {
    await pipeline(Readable.from(chunks), stdout, { end: false, signal })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw toFailure(error, signal, 'standard output')
  }
}

/** Writes chunks to a file, gzip if its name ends so; under another name first, so that a file of this name is whole. */
export async function writeChunksToFile(
  chunks: Iterable<Uint8Array>,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const partial = `${path}.partial`
  try {
    await createFolders(dirname(path), fs)
    const source = Readable.from(chunks)
    const file = createWriteStream(partial)
    if (path.endsWith('.gz')) await pipeline(source, createGzip(), file, { signal })
    else await pipeline(source, file, { signal })
    await fs.rename(partial, path)
  } catch (error) {
    await fs.rm(partial, { force: true })
    throw toFailure(error, signal, path)
  }
}

function toFailure(error: unknown, signal: AbortSignal, where: string): CatalogueError {
  if (signal.aborted) return new CatalogueError('INTERRUPTED', `${where}: writing was stopped`, { cause: error })
  return new CatalogueError(toOutputCode(error), `${where}: expected to write, got: ${(error as Error).message}`, {
    cause: error,
  })
}
