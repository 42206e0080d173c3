import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { chooseContract } from '../../contracts/choose-contract.ts'
import { type ContractName, isContractName } from '../../contracts/contracts.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import type { ObjectReader } from '../../storage/s3/object-reader.ts'
import { withObjects } from '../../storage/s3/with-objects.ts'
import { recognizeContract, type RecognizedContracts } from '../../contracts/recognize-contract.ts'
import { CatalogueError } from '../../errors.ts'
import { listChoices } from '../../text/choices.ts'
import { defaultMaxLineBytes } from '../../records/block.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { looksLikeDocument } from '../../sources/file-beginning.ts'
import { type ExportBeginning, type FirstRecordsOptions, readFirstRecords } from '../../sources/first-records.ts'
import { createFileSource } from '../../sources/file-source.ts'
import { readLanding } from '../../sources/landing-manifest.ts'
import { createObjectSource, findObject } from '../../sources/object-source.ts'
import type { Source } from '../../sources/source.ts'

export interface RecognizedExport {
  readonly contract: ContractName
  readonly reason: string
}

export interface RecognizeOptions extends RequiredContext<'signal'>, Pick<RunContext, 'env'> {
  /**
   * Chooses between contracts with the same fields, by the path of the file. By default several candidates are an
   * error.
   */
  readonly choose?: typeof chooseContract
}

/**
 * Recognizes the contract of the records in a file: lines of a stream or export, bare records or a JSON document, gzip
 * or not. A landed file states it; the first records of others are compared with the fields of all contracts. Throws
 * CONFIG_INVALID with the candidates if there is not exactly one, and errors of reading the file.
 */
export async function recognizeExport(
  path: string,
  { choose = () => undefined, ...context }: RecognizeOptions,
): Promise<RecognizedExport> {
  const { env = process.env } = context
  const landing = await withObjects(env, (objects) => readLanding(path, objects))
  if (landing !== null && isContractName(landing.contract.name))
    return { contract: landing.contract.name, reason: `landed from ${landing.endpoint}` }
  const { records: found } = await readBeginning(path, { ...context, most: mostRecords, mostBytes: 1 })
  const records = found.map(({ record }) => record)
  const recognized = recognizeContract(records)
  const [contract, ...others] = recognized.candidates
  const reason = `recognized by ${recognized.known} of its fields in the first ${records.length} records`
  if (contract !== undefined && others.length === 0) return { contract, reason }
  const named = choose(recognized.candidates, path)
  if (named === undefined) throw notRecognized(path, records, recognized)
  return { contract: named.contract, reason: `${reason}, ${named.reason}` }
}

/** Rare fields show up within as many records. */
const mostRecords = 500

export interface BeginningOptions extends FirstRecordsOptions, Pick<RunContext, 'env'> {}

export async function readBeginning(path: string, options: BeginningOptions): Promise<ExportBeginning> {
  const { env = process.env } = options
  return withObjects(env, async (objects) => readFirstRecords(await openExport(path, objects), options))
}

async function openExport(path: string, objects: ObjectReader): Promise<Source> {
  const options = { format: 'auto', maxLineBytes: defaultMaxLineBytes } as const
  if (!isObjectPath(path)) return createFileSource(path, Readable.from([]), options)
  return createObjectSource(await findObject(path, objects), { ...options, objects })
}

export function notRecognized(
  path: string,
  records: readonly unknown[],
  { candidates }: RecognizedContracts,
): CatalogueError {
  const title = 'The contract of a file was not recognized'
  if (records.length === 0) {
    const fix =
      'Check that it is an export: JSON, one record a line, or one document. `--contract NAME` says what it holds.'
    return new CatalogueError('CONFIG_INVALID', `${path}: expected records of a resource, got no record`, {
      title,
      fix,
    })
  }
  const [one = 'v4/product'] = candidates
  const fix = `Say which with \`--contract\`, for instance \`--contract ${one}\`.`
  const got = candidates.length === 0 ? describeKeys(records) : `those of several: ${listChoices(candidates)}`
  const message = `${path}: expected the fields of one resource in its records, got ${got}`
  return new CatalogueError('CONFIG_INVALID', message, { title, fix })
}

function describeKeys(records: readonly unknown[]): string {
  const keys = new Set(records.flatMap((record) => (record === null ? [] : Object.keys(Object(record)))))
  return keys.size === 0 ? 'none' : `fields of none: ${listChoices([...keys])}`
}

/**
 * Whether a file, which may also be a config, begins like an export: with a document of results, or a line with a
 * record. True for every object, as no config is in a bucket. False if it can't be read: the reader of configs reports
 * why.
 */
export async function beginsAsExport(path: string): Promise<boolean> {
  if (isObjectPath(path)) return true
  const head = await readHead(path)
  if (looksLikeDocument(head)) return true
  const [line = ''] = head.toString('utf8').trimStart().split('\n')
  return /^\uFEFF?\{\s*(?:"meta"\s*:.*"result"|"id")\s*:/.test(line)
}

async function readHead(path: string): Promise<Buffer> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    return Buffer.alloc(0)
  }
}

const headBytes = 64 * 1024
