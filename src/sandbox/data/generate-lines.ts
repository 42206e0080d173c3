import { contracts, type ContractName } from '../../contracts/contracts.ts'
import type { DialectName } from '../dialect/dialect.ts'
import { createLooseWriter } from '../dialect/loosen-record.ts'
import { createRecordWriter, type GenerateRecordOptions } from './record-writer.ts'

export type GenerateOptions = GenerateRecordOptions & {
  readonly contract: ContractName
  /** Number of the first record; a later one gives further records of the same catalogue. Default 0. */
  readonly start?: number
  readonly dialect?: DialectName
} & (
    | { readonly records: number }
    /** Approximate size of all lines, which decides the number of records. */
    | { readonly bytes: number }
  )

export type GenerateLinesOptions = GenerateOptions & {
  /** Whether lines are `{"meta":{"total","index"},"result":…}` as in a stream, or bare records. Default true. */
  readonly envelope?: boolean
}

/**
 * Generates the lines of a stream or export (specification: Conventions), in chunks of about 1 MiB of whole lines. The
 * same options give the same bytes on every machine. Products have every field, about 9 kB a line on average.
 */
export function* generateLines(options: GenerateLinesOptions): Generator<Uint8Array, void, undefined> {
  const { start = 0, envelope = true } = options
  const write = createWriter(options)
  const total = toTotal(options, write)
  const head = `{"meta":{"total":${total},"index":`
  yield* toChunks(total, (index) =>
    envelope ? `${head}${index}},"result":${write(start + index)}}\n` : `${write(start + index)}\n`,
  )
}

/** Generates an unpaged query result, `{"meta":{"total"},"results":[…]}` on one line, in chunks of about 1 MiB. */
export function* generateDocument(options: GenerateOptions): Generator<Uint8Array, void, undefined> {
  const { start = 0 } = options
  const write = createWriter(options)
  const total = toTotal(options, write)
  yield Buffer.from(`{"meta":{"total":${total}},"results":[`)
  yield* toChunks(total, (index) => (index === 0 ? write(start) : `,${write(start + index)}`))
  yield Buffer.from(']}\n')
}

function createWriter(options: GenerateOptions): (index: number) => string {
  const contract = contracts[options.contract]
  const write = createRecordWriter(contract, options)
  return options.dialect === 'loose' ? createLooseWriter(contract, options.seed, write) : write
}

function toTotal(options: GenerateOptions, write: (index: number) => string): number {
  if ('records' in options) return options.records
  return Math.max(1, Math.round(options.bytes / measureMean(options.start ?? 0, write)))
}

function measureMean(start: number, write: (index: number) => string): number {
  let bytes = 0
  for (let index = 0; index < sampleCount; index++) bytes += Buffer.byteLength(write(start + index)) + envelopeBytes
  return bytes / sampleCount
}

function* toChunks(count: number, write: (index: number) => string): Generator<Uint8Array, void, undefined> {
  let pieces: Uint8Array[] = []
  let bytes = 0
  for (let index = 0; index < count; index++) {
    // Pieces are encoded one by one: with a character beyond Latin-1, V8 would hold the whole chunk in two bytes a
    // character.
    const piece = Buffer.from(write(index))
    pieces.push(piece)
    bytes += piece.length
    if (bytes < chunkBytes) continue
    yield Buffer.concat(pieces, bytes)
    pieces = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(pieces, bytes)
}

const sampleCount = 200
const envelopeBytes = 50
const chunkBytes = 1024 * 1024
