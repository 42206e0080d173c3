import { createWriteStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Command } from 'commander'
import { type ContractName, ownContracts } from '../../contracts/contracts.ts'
import { CatalogueError, interrupted, toOutputCode } from '../../errors.ts'
import { createFolders } from '../../storage/file-system.ts'
import type { DialectName } from '../../sandbox/dialect/dialect.ts'
import { generateDocument, generateLines } from '../../sandbox/data/generate-lines.ts'
import { log, type Terminal } from '../terminal.ts'
import { contractOption, toCount } from './command-options.ts'
import { dialectOption } from './sandbox-command.ts'

interface GenerateOptions {
  readonly contract: ContractName
  readonly records: number
  readonly seed: number
  readonly dialect: DialectName
  readonly bare?: true
  readonly document?: true
  readonly to?: string
}

export function createGenerateCommand(terminal: Terminal): Command {
  return new Command('generate')
    .description('Writes generated data: a stream or export of any size, the same bytes for the same seed.')
    .addOption(contractOption('what to generate', ownContracts).default('v4/product'))
    .option('--records <n>', 'how many records', toCount, 1000)
    .option('--seed <n>', 'a different seed gives different data', toCount, 1)
    .addOption(dialectOption())
    .option('--bare', 'bare records, without the envelope of a stream')
    .option('--document', 'one JSON document, {"meta", "results"}, instead of lines')
    .option('--to <file>', 'write to a file, compressed if it ends in .gz; by default to standard output')
    .addHelpText(
      'after',
      '\nExample:\n  $ catalogue-etl generate --contract v3/product --records 50000 --to data/export.ndjson.gz',
    )
    .action((options: GenerateOptions) => generate(options, terminal))
}

async function generate(options: GenerateOptions, terminal: Terminal): Promise<void> {
  const { contract, records, seed, dialect, bare, document, to } = options
  const chunks = document
    ? generateDocument({ contract, records, seed, dialect })
    : generateLines({ contract, records, seed, dialect, envelope: bare !== true })
  if (to === undefined) {
    await writeChunksToStdout(chunks, terminal)
    return
  }
  await writeChunksToFile(chunks, to, terminal.signal)
  log(terminal, `${records} records of ${contract} in ${to}`)
}

/** Writes chunks to standard output. A reader that has seen enough, such as head, closes the pipe: no failure. */
async function writeChunksToStdout(chunks: Iterable<Uint8Array>, { stdout, signal }: Terminal): Promise<void> {
  try {
    await pipeline(Readable.from(chunks), stdout, { end: false, signal })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw toFailure(error, signal, 'standard output')
  }
}

/** Writes chunks to a file, gzip if its name ends so; under another name first, so that a file of this name is whole. */
async function writeChunksToFile(chunks: Iterable<Uint8Array>, path: string, signal: AbortSignal): Promise<void> {
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
  if (signal.aborted) return interrupted(`${where}: writing`, { cause: error })
  return new CatalogueError(toOutputCode(error), `${where}: expected to write, got: ${(error as Error).message}`, {
    cause: error,
  })
}
