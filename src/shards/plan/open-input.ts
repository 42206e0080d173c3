import { open, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import type { FileSourcePlan } from '../../plan/pipeline-plan.ts'
import { isGzip } from '../../sources/file-bytes.ts'
import { isUtf16, looksLikeDocument } from '../../sources/file-beginning.ts'
import { findFiles } from '../../sources/find-files.ts'
import { readLanding } from '../../sources/landing-manifest.ts'
import type { InputFile } from './cut-segments.ts'

/** The files that a source names, in the order in which one process reads them. Throws SOURCE_NOT_FOUND or SOURCE_FAILED. */
export async function openInput({ files, format }: FileSourcePlan): Promise<InputFile[]> {
  const found = await findFiles(files)
  const opened: InputFile[] = []
  for (const name of found) opened.push(await openInputFile(name, format))
  return opened
}

async function openInputFile(name: string, format: FileSourcePlan['format']): Promise<InputFile> {
  const path = resolve(name)
  const { size, mtime } = await reading(name, () => stat(path))
  const head = await reading(name, () => readAt(path, 0, headBytes))
  const isDocument = format === 'json' || (format === 'auto' && looksLikeDocument(head))
  const landing = await readLanding(path)
  return {
    name,
    path,
    size,
    modified: mtime.toISOString(),
    ...(landing && { landed: landing.file.sha256 }),
    hasLines: !isGzip(head) && !isUtf16(head) && !isDocument,
    findLineStart: (position) => reading(name, () => findLineStart(path, position, size)),
  }
}

/** As much as the reader of a file looks at. */
const headBytes = 65_536

async function findLineStart(path: string, position: number, size: number): Promise<number> {
  for (let at = position; at < size; at += headBytes) {
    const bytes = await readAt(path, at, headBytes)
    const found = bytes.indexOf(newline)
    if (found >= 0) return at + found + 1
    if (bytes.length === 0) break
  }
  return size
}

const newline = 0x0a

async function readAt(path: string, position: number, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function reading<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    throw new CatalogueError('SOURCE_FAILED', `${name}: the read failed: ${(error as Error).message}`, { cause: error })
  }
}
