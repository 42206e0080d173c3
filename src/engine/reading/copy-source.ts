import { createWriteStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CatalogueError, toOutputCode } from '../../errors.ts'
import { createFolders } from '../../publish/file-system.ts'
import { createFileSource, type FileSourceOptions } from '../../sources/file-source.ts'
import type { Source } from '../../sources/source.ts'

export interface SourceCopy {
  readonly source: Source
  readonly remove: () => Promise<void>
}

/**
 * The bytes of standard input or a pipe copied to a file, so that they can be read twice. The caller removes it with
 * `remove`; a copy that fails is removed here. Throws SOURCE_FAILED, OUTPUT_FAILED, OUTPUT_REFUSED or INTERRUPTED.
 */
export async function copyBytes(
  from: Readable,
  path: string,
  name: string,
  { signal, ...options }: FileSourceOptions & { readonly signal: AbortSignal },
): Promise<SourceCopy> {
  const remove = await copy(from, path, name, signal)
  return { source: { ...createFileSource(path, from, options), name }, remove }
}

/** The same for a source that gives its lines only once: the copy holds the lines, and its verdict is that of the source. */
export async function copyLines(
  source: Source,
  path: string,
  maxLineBytes: number,
  signal: AbortSignal,
): Promise<SourceCopy> {
  const reading = source.read(signal)
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for await (const block of reading.blocks) yield block.bytes
  }
  const remove = await copy(Readable.from(bytes()), path, source.name, signal)
  const file = createFileSource(path, Readable.from([]), { format: 'ndjson', maxLineBytes })
  const { completeness, notes } = reading
  return {
    source: {
      ...file,
      name: source.name,
      read: (again) => ({ ...file.read(again), ...(completeness && { completeness }), ...(notes && { notes }) }),
    },
    remove,
  }
}

async function copy(from: Readable, path: string, name: string, signal: AbortSignal): Promise<() => Promise<void>> {
  const remove = () => fs.rm(path, { force: true })
  try {
    await createFolders(dirname(path), fs)
    await pipeline(from, createWriteStream(path, { flags: 'wx' }), { signal })
    return remove
  } catch (error) {
    await remove()
    throw copyFailed(path, name, error, signal)
  }
}

function copyFailed(path: string, name: string, error: unknown, signal: AbortSignal): CatalogueError {
  if (signal.aborted) return new CatalogueError('INTERRUPTED', `${name}: the run was asked to stop while it was copied`)
  if (error instanceof CatalogueError) return error
  const { message, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || syscall === 'read') {
    return new CatalogueError('SOURCE_FAILED', `${name}: the read failed: ${message}`, { cause: error })
  }
  const said = `${path}: expected to copy ${name} here, to read it twice, got: ${message}`
  return new CatalogueError(toOutputCode(error), said, { cause: error })
}
