import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { CatalogueError, messageOf } from '../../errors.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { joinPath } from '../../storage/paths.ts'
import type { DeletionVector } from './actions.ts'
import { decodeRows, encodeRows } from './row-bitmap.ts'
import { decodeZ85, encodeZ85, isZ85 } from './z85.ts'

/** Sets of deleted rows in one file of a table. */
export interface VectorFile {
  readonly path: string
  readonly bytes: Buffer
  /** One for each set of rows. */
  readonly vectors: readonly DeletionVector[]
}

export function formatVectors(folder: string, sets: readonly (readonly number[])[]): VectorFile {
  const id = randomUUID()
  const pathOrInlineDv = encodeZ85(Buffer.from(id.replaceAll('-', ''), 'hex'))
  const parts: Buffer[] = [Buffer.of(1)]
  let offset = 1
  const vectors = sets.map((rows): DeletionVector => {
    const bitmap = encodeRows(rows)
    const [size, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(bitmap.length)
    checksum.writeUInt32BE(crc32(bitmap))
    parts.push(size, bitmap, checksum)
    const vector = { storageType: 'u', pathOrInlineDv, offset, sizeInBytes: bitmap.length, cardinality: rows.length }
    offset += bitmap.length + frameBytes
    return vector
  })
  return { path: vectorPath(folder, '', id), bytes: Buffer.concat(parts), vectors }
}

/** A bitmap has its size before it, and its checksum behind it. */
const frameBytes = 8

/** The file of a vector in the folder of the table; null for one in the log. */
export function locateVector(
  folder: string,
  { storageType, pathOrInlineDv, offset, sizeInBytes }: DeletionVector,
): { readonly path: string; readonly leastBytes: number } | null {
  const { prefix, id } = /^(?<prefix>.*)(?<id>.{20})$/.exec(pathOrInlineDv)?.groups ?? {}
  if (storageType !== 'u' || prefix === undefined || id === undefined || !isZ85(id)) return null
  const hex = decodeZ85(id).toString('hex')
  const path = vectorPath(folder, prefix, hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
  return { path, leastBytes: (offset ?? 0) + sizeInBytes + frameBytes }
}

/** Reads the rows that a vector deletes. Throws TARGET_MISMATCH if they can't be read. */
export async function readVector(
  storage: Pick<FileStorage, 'read'>,
  folder: string,
  vector: DeletionVector,
): Promise<readonly number[]> {
  const { storageType, pathOrInlineDv, sizeInBytes, cardinality } = vector
  try {
    const rows =
      storageType === 'i'
        ? decodeRows(decodeZ85(pathOrInlineDv).subarray(0, sizeInBytes))
        : await readStored(storage, folder, vector)
    if (rows.length === cardinality) return rows
    throw new RangeError(`expected ${cardinality} deleted rows, got ${rows.length}`)
  } catch (thrown) {
    if (thrown instanceof CatalogueError) throw thrown
    const said = messageOf(thrown)
    throw new CatalogueError('TARGET_MISMATCH', `${folder}: a deletion vector can't be read: ${said}`, {
      cause: thrown,
      fix: 'Put the files of the table back, from a backup for instance, or name another path: the next run fills a new table.',
    })
  }
}

async function readStored(
  storage: Pick<FileStorage, 'read'>,
  folder: string,
  vector: DeletionVector,
): Promise<number[]> {
  const file = locateVector(folder, vector)
  if (file === null) throw new RangeError(`expected one in the folder of the table, got ${vector.pathOrInlineDv}`)
  const { offset, sizeInBytes } = vector
  const stored = await storage.read(file.path)
  if (stored === null) throw new RangeError(`expected a file, got none at ${file.path}`)
  if (stored.length < file.leastBytes)
    throw new RangeError(`expected a whole file, got ${stored.length} bytes in ${file.path}`)
  const bytes = Buffer.from(stored).subarray(offset ?? 0)
  const bitmap = bytes.subarray(4, 4 + sizeInBytes)
  if (bytes.readUInt32BE(0) !== sizeInBytes || bytes.readUInt32BE(4 + sizeInBytes) !== crc32(bitmap))
    throw new RangeError(`expected ${sizeInBytes} bytes with their checksum, got others in ${file.path}`)
  return decodeRows(bitmap)
}

function vectorPath(folder: string, prefix: string, id: string): string {
  return joinPath(folder, `${prefix === '' ? '' : `${prefix}/`}deletion_vector_${id}.bin`)
}
