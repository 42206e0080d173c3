import pLimit from 'p-limit'
import { open, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import type { ObjectReader } from '../../storage/s3/object-reader.ts'
import type { FileSourcePlan } from '../../plan/source/source-plan.ts'
import { isGzip } from '../../sources/file-bytes.ts'
import { isUtf16, looksLikeDocument } from '../../sources/file-beginning.ts'
import { findFiles } from '../../sources/find-files.ts'
import { readLanding } from '../../sources/landing-manifest.ts'
import { findObject } from '../../sources/object-source.ts'
import { readOperation } from '../../sources/read-operation.ts'
import type { InputFile } from './cut-segments.ts'

/**
 * The files that a source names, in the order in which one process reads them. Throws SOURCE_NOT_FOUND or
 * SOURCE_FAILED.
 */
export async function openInput({ files, format }: FileSourcePlan, objects: ObjectReader): Promise<InputFile[]> {
  const found = await findFiles(files, objects)
  const limit = pLimit(openedAtOnce)
  return Promise.all(found.map((name) => limit(() => openInputFile(name, format, objects))))
}

const openedAtOnce = 16

async function openInputFile(
  name: string,
  format: FileSourcePlan['format'],
  objects: ObjectReader,
): Promise<InputFile> {
  const file = isObjectPath(name) ? await openObject(name, objects) : await openLocal(name)
  const { path, size, readAt, ...version } = file
  const head = await readAt(0, headBytes)
  const isDocument = format === 'json' || (format === 'auto' && looksLikeDocument(head))
  const landing = await readLanding(path, objects)
  return {
    name,
    path,
    size,
    ...version,
    ...(landing && { landed: landing.file.sha256 }),
    hasLines: !isGzip(head) && !isUtf16(head) && !isDocument,
    findLineStart: (position) => findLineStart(file, position),
  }
}

interface OpenedInput extends Pick<InputFile, 'path' | 'size' | 'modified' | 'etag'> {
  readonly readAt: (position: number, length: number) => Promise<Buffer>
}

async function openLocal(name: string): Promise<OpenedInput> {
  const path = resolve(name)
  const { size, mtime } = await readOperation(name, () => stat(path))
  const readBytes = (position: number, length: number) => readOperation(name, () => readLocalAt(path, position, length))
  return { path, size, modified: mtime.toISOString(), readAt: readBytes }
}

async function openObject(path: string, objects: ObjectReader): Promise<OpenedInput> {
  const object = await findObject(path, objects)
  const { bytes, etag, modified } = object
  const readBytes = (position: number, length: number) => objects.readAt(object, position, length)
  return { path, size: bytes, modified: modified.toISOString(), ...(etag !== null && { etag }), readAt: readBytes }
}

/** The number of bytes by which the reader of a file decides its form. */
const headBytes = 65_536

async function findLineStart({ size, readAt }: OpenedInput, position: number): Promise<number> {
  for (let at = position; at < size; at += headBytes) {
    const bytes = await readAt(at, headBytes)
    const found = bytes.indexOf(newline)
    if (found >= 0) return at + found + 1
    if (bytes.length === 0) break
  }
  return size
}

const newline = 0x0a

async function readLocalAt(path: string, position: number, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
