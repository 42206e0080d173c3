import * as nodeFs from 'node:fs/promises'
import { dirname } from 'node:path'
import { CatalogueError } from '../errors.ts'
import { createFolders, fileExists, syncFoldersOf } from '../storage/file-system.ts'
import { outputOperation } from '../storage/output-operation.ts'
import { parseObject } from '../records/json/json-values.ts'

/**
 * An append-only file of JSON objects, one a line. `append` resolves once its lines are on the disk, so a kill loses at
 * most the line being written. Throws OUTPUT_FAILED.
 */
export class LineLog {
  readonly path: string
  /** Text to write before the next line, after cutting off an incomplete one. */
  #repair: { readonly cutAt: number | null; readonly text: string } = { cutAt: null, text: '' }
  #last: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.path = path
  }

  /** Reads all objects; empty if there is no file. Throws USAGE if the file holds something else. */
  async read(): Promise<object[]> {
    const text = await outputOperation(this.path, 'read', () => readIfThere(this.path))
    const end = text.lastIndexOf('\n') + 1
    const tail = text.slice(end)
    const last = parseObject(tail)
    const isTorn = last === null && '{"'.startsWith(tail.slice(0, 2))
    if (last !== null) this.#repair = { cutAt: null, text: '\n' }
    else if (tail !== '') this.#repair = { cutAt: Buffer.byteLength(text.slice(0, end)), text: '' }
    const lines = isTorn ? text.slice(0, end) : text
    return lines.split('\n').flatMap((line, at) => (line === '' ? [] : [this.#parse(line, at)]))
  }

  /** Appends in the order of calls. After a failure nothing more is written, as the last line may be incomplete. */
  append(values: readonly object[]): Promise<void> {
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join('')
    if (text !== '') this.#last = this.#last.then(() => outputOperation(this.path, 'written', () => this.#append(text)))
    return this.#last
  }

  async #append(text: string): Promise<void> {
    const isNew = !(await fileExists(this.path, nodeFs))
    if (isNew) await createFolders(dirname(this.path), nodeFs)
    else if (this.#repair.cutAt !== null) await nodeFs.truncate(this.path, this.#repair.cutAt)
    await nodeFs.appendFile(this.path, this.#repair.text + text, { flush: true })
    this.#repair = { cutAt: null, text: '' }
    if (isNew) await syncFoldersOf([this.path], nodeFs)
  }

  #parse(line: string, at: number): object {
    const value = parseObject(line)
    if (value !== null) return value
    const message = `${this.path}:${at + 1}: expected a line that "users create" wrote, got something else`
    throw toResultsError(message)
  }
}

export function toResultsError(message: string): CatalogueError {
  const fix = 'Name another file with --results; one that "users create" wrote stays as it is.'
  return new CatalogueError('USAGE', message, { title: "The results can't be kept in this file", fix })
}

async function readIfThere(path: string): Promise<string> {
  return (await fileExists(path, nodeFs)) ? nodeFs.readFile(path, 'utf8') : ''
}
