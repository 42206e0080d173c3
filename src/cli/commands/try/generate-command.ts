import { createWriteStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ownContracts } from '../../../contracts/contracts.ts'
import { CatalogueError, interrupted, toOutputCode } from '../../../errors.ts'
import { createFolders, renameFile } from '../../../storage/file-system.ts'
import { generateDocument, generateLines } from '../../../sandbox/data/generate-lines.ts'
import { defineCommand } from '../../command.ts'
import { flag, option, withDefault } from '../../parameter.ts'
import { log, type Terminal } from '../../terminal.ts'
import { contractChoice, toCount } from '../../shared-options.ts'
import { dialect } from './dialect-option.ts'

export const generateCommand = defineCommand({
  description: 'Writes generated data: a stream or export of any size, the same bytes for the same seed.',
  otherNames: ['fake', 'seed'],
  options: {
    contract: withDefault(contractChoice('what to generate', ownContracts), 'v4/product'),
    records: withDefault(option('<n>', 'how many records', toCount), 1000),
    seed: withDefault(option('<n>', 'a different seed gives different data', toCount), 1),
    dialect,
    bare: flag('bare records, without the envelope of a stream'),
    document: flag('one JSON document, {"meta", "results"}, instead of lines'),
    to: option('<file>', 'write to a file, compressed if it ends in .gz; by default to standard output'),
  },
  examples: ['catalogue-etl sandbox generate --contract v3/product --records 50000 --to data/export.ndjson.gz'],
  async run({ bare, document, to, ...options }, terminal) {
    const chunks = document ? generateDocument(options) : generateLines({ ...options, envelope: bare !== true })
    if (to === undefined) return writeChunksToStdout(chunks, terminal)
    await writeChunksToFile(chunks, to, terminal.signal)
    log(terminal, `${options.records} records of ${options.contract} in ${to}`)
  },
})

/** Writes chunks to standard output. A reader such as head may close the pipe early: no failure. */
async function writeChunksToStdout(chunks: Iterable<Uint8Array>, { stdout, signal }: Terminal): Promise<void> {
  try {
    await pipeline(Readable.from(chunks), stdout, { end: false, signal })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw toFailure(error, signal, 'standard output')
  }
}

/**
 * Writes chunks to a file, as gzip if its name ends so, under another name first, so that a file at this path is always
 * whole.
 */
async function writeChunksToFile(chunks: Iterable<Uint8Array>, path: string, signal: AbortSignal): Promise<void> {
  const partial = `${path}.partial`
  try {
    await createFolders(dirname(path), fs)
    const source = Readable.from(chunks)
    const file = createWriteStream(partial)
    if (path.endsWith('.gz')) await pipeline(source, createGzip(), file, { signal })
    else await pipeline(source, file, { signal })
    await renameFile(partial, path)
  } catch (error) {
    await fs.rm(partial, { force: true })
    throw toFailure(error, signal, path)
  }
}

function toFailure(error: unknown, signal: AbortSignal, where: string): CatalogueError {
  if (signal.aborted) return interrupted(`${where}: writing`, { cause: error })
  return new CatalogueError(toOutputCode(error), `${where}: expected to write, got: ${(error as Error).message}`, {
    cause: error,
  })
}
