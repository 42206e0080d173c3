import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { CatalogueError } from '../../errors.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { joinPath } from '../../storage/paths.ts'
import type { DeletionVector } from './actions.ts'
import { decodeRows, encodeRows } from './row-bitmap.ts'
import { decodeZ85, encodeZ85 } from './z85.ts'

type VectorStorage = Pick<FileStorage, 'create' | 'read'>

export interface WrittenVectors {
  /** One for each set of rows. */
  readonly vectors: readonly DeletionVector[]
  readonly path: string
}

/** Writes sets of deleted rows into one file of a table, which no version lists yet. */
export async function writeVectors(
  storage: VectorStorage,
  folder: string,
  sets: readonly (readonly number[])[],
): Promise<WrittenVectors> {
  const id = randomUUID()
  const path = vectorPath(folder, '', id)
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
    offset += bitmap.length + 8
    return vector
  })
  // The name is new: a file that is there is the one whose answer was lost.
  await storage.create(path, Buffer.concat(parts))
  return { vectors, path }
}

/** Reads the rows that a vector deletes. Throws TARGET_MISMATCH if they can't be read. */
export async function readVector(
  storage: Pick<FileStorage, 'read'>,
  folder: string,
  vector: DeletionVector,
): Promise<readonly number[]> {
  const { storageType, pathOrInlineDv, offset, sizeInBytes, cardinality } = vector
  try {
    const rows =
      storageType === 'i'
        ? decodeRows(decodeZ85(pathOrInlineDv).subarray(0, sizeInBytes))
        : await readStored(storage, folder, vector, offset ?? 0)
    if (rows.length === cardinality) return rows
    throw new RangeError(`expected ${cardinality} deleted rows, got ${rows.length}`)
  } catch (thrown) {
    if (thrown instanceof CatalogueError) throw thrown
    const said = thrown instanceof Error ? thrown.message : String(thrown)
    throw new CatalogueError('TARGET_MISMATCH', `${folder}: a deletion vector can't be read: ${said}`, {
      cause: thrown,
      fix: 'Put the files of the table back, from a backup for instance, or name another path: the next run fills a new table.',
    })
  }
}

async function readStored(
  storage: Pick<FileStorage, 'read'>,
  folder: string,
  { storageType, pathOrInlineDv, sizeInBytes }: DeletionVector,
  offset: number,
): Promise<number[]> {
  if (storageType !== 'u') throw new RangeError(`expected one in the folder of the table, got ${pathOrInlineDv}`)
  const prefix = pathOrInlineDv.slice(0, -20)
  const id = decodeZ85(pathOrInlineDv.slice(-20)).toString('hex')
  const path = vectorPath(folder, prefix, id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
  const bytes = await storage.read(path)
  if (bytes === null) throw new RangeError(`expected a file, got none at ${path}`)
  const file = Buffer.from(bytes)
  const bitmap = file.subarray(offset + 4, offset + 4 + sizeInBytes)
  if (file.readUInt32BE(offset) !== sizeInBytes || file.readUInt32BE(offset + 4 + sizeInBytes) !== crc32(bitmap))
    throw new RangeError(`expected ${sizeInBytes} bytes with their checksum, got others in ${path}`)
  return decodeRows(bitmap)
}

function vectorPath(folder: string, prefix: string, id: string): string {
  return joinPath(folder, `${prefix === '' ? '' : `${prefix}/`}deletion_vector_${id}.bin`)
}
