import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type BenchInput, longestLineBytes } from './bench-input.ts'

/** The same lines in gz files of about the same size, in a folder beside the file; those of an earlier run where it is older. */
export async function divideInput(input: BenchInput, files: number): Promise<BenchInput> {
  const folder = `${input.path}.in-${files}`
  if (!(await isNewer(folder, input.path))) {
    const partial = `${folder}.partial`
    for (const each of [folder, partial]) await rm(each, { recursive: true, force: true })
    await mkdir(partial)
    await writeParts(input, files, partial)
    await rename(partial, folder)
  }
  return { ...input, path: `${folder}/*.ndjson.gz` }
}

async function isNewer(folder: string, file: string): Promise<boolean> {
  try {
    return (await stat(folder)).mtimeMs > (await stat(file)).mtimeMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function writeParts({ path, bytes }: BenchInput, files: number, folder: string): Promise<void> {
  await using file = await open(path)
  for (let part = 0, start = 0; part < files; part++) {
    const end = await findLineStart(file, Math.floor((bytes * (part + 1)) / files), bytes)
    // Less than a line is left for a part, of very small inputs.
    if (end <= start) continue
    const name = `${folder}/part-${String(part).padStart(5, '0')}.ndjson.gz`
    await pipeline(createReadStream(path, { start, end: end - 1 }), createGzip({ level: 6 }), createWriteStream(name))
    start = end
  }
}

/** The first start of a line at or behind a position. */
async function findLineStart(file: FileHandle, position: number, bytes: number): Promise<number> {
  if (position >= bytes) return bytes
  const { buffer, bytesRead } = await file.read(Buffer.alloc(longestLineBytes), 0, longestLineBytes, position - 1)
  return position + buffer.subarray(0, bytesRead).indexOf(lineFeed)
}

const lineFeed = 10
