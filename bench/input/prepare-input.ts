import { execFile } from 'node:child_process'
import { mkdir, open, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type BenchInput, type InputSize, longestLineBytes } from './bench-input.ts'
import { divideInput } from './divide-input.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'

/** A stream of products in files under `dataDir`: those of an earlier run, unless they are not the same. */
export async function prepareInput(
  { records, gzFiles, areShort = false }: InputSize,
  cli: string,
  dataDir: string,
): Promise<BenchInput> {
  if (areShort) return prepareShort(records, dataDir)
  const input = await preparePlain(records, cli, dataDir)
  return gzFiles === undefined ? input : divideInput(input, gzFiles)
}

async function preparePlain(records: number, cli: string, dataDir: string): Promise<BenchInput> {
  const path = `${dataDir}/v4-products-${records}.ndjson`
  if (!(await isGenerated(path, records))) {
    const args = ['--contract', contract, '--seed', String(seed), '--records', String(records), '--to', path]
    await promisify(execFile)(process.execPath, [cli, 'sandbox', 'generate', ...args])
  }
  const { size } = await stat(path)
  return { path, records, bytes: size }
}

async function prepareShort(records: number, dataDir: string): Promise<BenchInput> {
  const path = `${dataDir}/v4-products-short-${records}.ndjson`
  const lines = function* () {
    for (let index = 0; index < records; index++)
      yield `{"meta":{"total":${records},"index":${index}},"result":{"id":"${index}","vat":0.5}}\n`
  }
  await mkdir(dataDir, { recursive: true })
  await writeFile(path, lines())
  const { size } = await stat(path)
  return { path, records, bytes: size }
}

const contract = 'v4/product'
const seed = 1

/** Returns true if the file begins as the generator of today would begin it, and ends with the last record. */
async function isGenerated(path: string, records: number): Promise<boolean> {
  let file: FileHandle
  try {
    file = await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  try {
    const [first = new Uint8Array()] = generateLines({ contract, seed, records })
    const { size } = await file.stat()
    const head = await readBytes(file, 0, first.length)
    const tail = await readBytes(file, Math.max(0, size - longestLineBytes), longestLineBytes)
    return head.equals(first) && tail.includes(`"index":${records - 1}}`) && tail.at(-1) === lineFeed
  } finally {
    await file.close()
  }
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

const lineFeed = 10
