import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { createWriteStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { withVersion } from '../../contracts/given-values.ts'
import { CatalogueError, interrupted, toOutputCode } from '../../errors.ts'

import { createFolders } from '../../storage/file-system.ts'
import type { RequiredContext } from '../../run-context.ts'
import { stagingPath } from '../../storage/staging-names.ts'
import { openFile } from '../../sources/file-bytes.ts'
import { createFileSource, type FileSourceOptions, usualStdinName } from '../../sources/file-source.ts'
import type { Source } from '../../sources/source.ts'
import { holdToken } from '../frame.ts'
import { sourceCopyPath } from '../side-files.ts'
import { openSources, type OpenedSources, type SourceContext } from './open-sources.ts'

export type OpenSources = (
  plan: PipelinePlan,
  context: SourceContext & RequiredContext<'env' | 'signal'>,
) => Promise<Pick<OpenedSources, 'sources' | 'close'>>

export interface RereadableContext extends Omit<SourceContext, 'env'>, RequiredContext<'env' | 'signal'> {
  /** Default `openSources`. */
  readonly open?: OpenSources | undefined
  /** Receives functions that close connections and remove copies. */
  readonly releases: (() => Promise<void>)[]
}

/** Opens the sources. If they may have to be read again, those that can be read only once are copied to files. */
export async function openRereadable(plan: PipelinePlan, context: RereadableContext): Promise<readonly Source[]> {
  const { token, stdin, stdinName = usualStdinName, signal, releases, open = openSources } = context
  const { sources, close } = await open(plan, context)
  releases.push(close)
  if (plan.records.duplicates === 'keep') return sources
  const { maxLineBytes } = plan.records
  const opened: Source[] = []
  for (const [at, source] of sources.entries()) {
    if (source.canBeReadAgain) {
      opened.push(source)
      continue
    }
    const { token: copyToken, release } = holdToken(`${token}-${at}`)
    releases.push(async () => release())
    const path = stagingPath(sourceCopyPath(plan.report), { pid: process.pid, token: copyToken })
    const copy =
      plan.source.kind === 'files'
        ? await copyBytes(source.name === stdinName ? stdin : openFile(source.name), path, source.name, {
            format: plan.source.format,
            maxLineBytes,
            signal,
          })
        : await copyLines(source, path, maxLineBytes, signal)
    releases.push(copy.remove)
    opened.push(withVersion(copy.source, source.interfaceVersion))
  }
  return opened
}

interface SourceCopy {
  readonly source: Source
  readonly remove: () => Promise<void>
}

/**
 * Copies standard input or a pipe to a file, to read it again. The caller removes the copy with `remove`, unless
 * copying fails. Throws SOURCE_FAILED, OUTPUT_FAILED, OUTPUT_REFUSED or INTERRUPTED.
 */
async function copyBytes(
  from: Readable,
  path: string,
  name: string,
  { signal, ...options }: FileSourceOptions & RequiredContext<'signal'>,
): Promise<SourceCopy> {
  const remove = await copyToFile(from, path, name, signal)
  return { source: { ...createFileSource(path, from, options), name }, remove }
}

/** Copies the lines of a source to a file, and keeps the verdict of the source. */
async function copyLines(source: Source, path: string, maxLineBytes: number, signal: AbortSignal): Promise<SourceCopy> {
  const reading = source.read(signal)
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for await (const block of reading.blocks) yield block.bytes
  }
  const remove = await copyToFile(Readable.from(bytes()), path, source.name, signal)
  const file = createFileSource(path, Readable.from([]), { format: 'ndjson', maxLineBytes })
  const { completeness, notes } = reading
  return {
    source: {
      name: source.name,
      canBeReadAgain: true,
      read: (again, buffers) => ({
        ...file.read(again, buffers),
        ...(completeness && { completeness }),
        ...(notes && { notes }),
      }),
    },
    remove,
  }
}

async function copyToFile(
  from: Readable,
  path: string,
  name: string,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
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
  if (signal.aborted) return interrupted(`${name}: the run`, { where: ' while it was copied' })
  if (error instanceof CatalogueError) return error
  const { message, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || syscall === 'read') {
    return new CatalogueError('SOURCE_FAILED', `${name}: the read failed: ${message}`, { cause: error })
  }
  const said = `${path}: expected to copy ${name} here, to read it again, got: ${message}`
  return new CatalogueError(toOutputCode(error), said, { cause: error })
}
