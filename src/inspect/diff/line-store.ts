import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { CatalogueError, toOutputCode } from '../../errors.ts'
import { copyBytes } from '../../records/memory/copy-bytes.ts'
import { outputOperation } from '../../storage/output-operation.ts'

/** Stores lines in an unlinked file, found by number. The system removes the file even if the process is killed. */
export class LineStore {
  readonly #path: string
  readonly #file: number
  readonly #buffer = Buffer.allocUnsafe(bufferBytes)
  #buffered = 0
  #written = 0
  #starts = new Float64Array(1024)
  #count = 0

  private constructor(path: string, file: number) {
    this.#path = path
    this.#file = file
  }

  static open(path: string): Promise<LineStore> {
    return outputOperation(path, 'created', async () => {
      const file = openSync(path, 'wx+')
      rmSync(path, { force: true })
      return new LineStore(path, file)
    })
  }

  add(line: Uint8Array): number {
    if (this.#count + 1 >= this.#starts.length) this.#starts = grow(this.#starts)
    if (this.#buffered + line.length > bufferBytes) this.#flush()
    if (line.length > bufferBytes) this.#write(line)
    else {
      copyBytes(line, this.#buffer, this.#buffered)
      this.#buffered += line.length
    }
    this.#count += 1
    this.#starts[this.#count] = this.#written + this.#buffered
    return this.#count
  }

  read(number: number): Buffer {
    this.#flush()
    const start = this.#starts[number - 1] as number
    const line = Buffer.allocUnsafe((this.#starts[number] as number) - start)
    for (let read = 0; read < line.length;) {
      const bytes = readSync(this.#file, line, read, line.length - read, start + read)
      if (bytes === 0) throw new Error(`${this.#path}: ended before the line that was stored there`)
      read += bytes
    }
    return line
  }

  close(): void {
    closeSync(this.#file)
  }

  #flush(): void {
    if (this.#buffered === 0) return
    this.#write(this.#buffer.subarray(0, this.#buffered))
    this.#buffered = 0
  }

  #write(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length;) {
      const count = this.#writeSome(bytes.subarray(written))
      written += count
      this.#written += count
    }
  }

  #writeSome(bytes: Uint8Array): number {
    try {
      return writeSync(this.#file, bytes, 0, bytes.length, this.#written)
    } catch (error) {
      const message = `${this.#path}: expected room for the lines that differ, got: ${(error as Error).message}`
      const fix = 'Name a folder with room in the environment variable TMPDIR.'
      throw new CatalogueError(toOutputCode(error), message, { cause: error, fix })
    }
  }
}

function grow(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(numbers.length * 2)
  grown.set(numbers)
  return grown
}

const bufferBytes = 1024 * 1024
