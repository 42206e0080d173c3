import * as nodeFs from 'node:fs/promises'
import { copyFile, lstat, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CatalogueError } from '../errors.ts'
import { createFolders, flushFile, nullIfMissing, renameFile, syncFoldersOf, tryLink } from '../storage/file-system.ts'
import { outputOperation } from '../storage/output-operation.ts'
import { isFileName } from './file-name.ts'
import { KnownFiles } from './known-files.ts'
import type { StoredFile } from './media-entry.ts'

/** The folder of a download: files under their final names, a manifest, and `.media` with work in progress. */
export class MediaFolder {
  readonly path: string
  readonly #token: string
  #parts = 0

  constructor(path: string, token: string) {
    this.path = path
    this.#token = token
  }

  get manifestPath(): string {
    return join(this.path, '_media.json')
  }

  get entriesPath(): string {
    return join(this.path, '_media.ndjson')
  }

  get missingPath(): string {
    return join(this.path, '_missing.ndjson')
  }

  get rejectsPath(): string {
    return join(this.path, '_rejects.ndjson')
  }

  /** Holds only files of the current download or a killed one. */
  get workPath(): string {
    return join(this.path, '.media')
  }

  get listPath(): string {
    return join(this.workPath, 'list.ndjson')
  }

  get listManifestPath(): string {
    return join(this.workPath, '_list.json')
  }

  /** Creates the folders. Throws OUTPUT_REFUSED if `.media` is not a folder. */
  async create(): Promise<void> {
    await outputOperation(this.path, 'given a folder', () => createFolders(this.path, nodeFs))
    await outputOperation(this.workPath, 'given a folder', async () => {
      const found = await nullIfMissing(() => lstat(this.workPath))
      if (found === null) await mkdir(this.workPath)
      else if (!found.isDirectory()) {
        throw new CatalogueError('OUTPUT_REFUSED', `${this.workPath}: expected a folder of its own, got something else`)
      }
    })
  }

  /** Opens the known files. Complete files of a killed download get their final names; incomplete ones are removed. */
  async openKnown(): Promise<KnownFiles> {
    const previous = join(this.workPath, 'previous.ndjson')
    const journal = join(this.workPath, 'journal.ndjson')
    await outputOperation(previous, 'written', () => this.#keepPrevious(previous))
    const known = await KnownFiles.open(previous, journal)
    await outputOperation(this.workPath, 'cleared', () => this.#finishParts(known))
    return known
  }

  /** Keeps the last published lines beside the journal, which extends them. Those that a killed download kept stay. */
  async #keepPrevious(previous: string): Promise<void> {
    const isThere = (await nullIfMissing(() => stat(previous))) !== null
    if (isThere || (await nullIfMissing(() => stat(this.entriesPath))) === null) return
    if (await tryLink(this.entriesPath, previous, nodeFs)) return
    await copyFile(this.entriesPath, `${previous}.copy`)
    await renameFile(`${previous}.copy`, previous)
  }

  async #finishParts(known: KnownFiles): Promise<void> {
    const parts = new Set((await readdir(this.workPath)).filter((name) => name.endsWith('.part')))
    if (parts.size === 0) return
    for await (const { part, stored } of known.journal()) {
      if (part === null || stored === null || !parts.has(part)) continue
      const found = await nullIfMissing(() => stat(join(this.workPath, part)))
      if (found?.size === stored.bytes) await renameFile(join(this.workPath, part), join(this.path, stored.file))
    }
    for (const part of parts) await rm(join(this.workPath, part), { force: true })
  }

  createPart(): { readonly name: string; readonly path: string } {
    const name = `${this.#token}-${this.#parts++}.part`
    return { name, path: join(this.workPath, name) }
  }

  /** Gives a complete part its final name. What had that name before had the same content. */
  async place(part: { readonly path: string }, file: string): Promise<void> {
    const path = this.#pathOf(file)
    await outputOperation(path, 'put in place', () => renameFile(part.path, path))
  }

  async has({ file, bytes }: Pick<StoredFile, 'file' | 'bytes'>): Promise<boolean> {
    if (!isFileName(file)) return false
    const found = await nullIfMissing(() => lstat(this.#pathOf(file)))
    return found !== null && found.isFile() && found.size === bytes
  }

  async copyToPart(file: string, part: { readonly path: string }): Promise<void> {
    await outputOperation(part.path, 'written', async () => {
      await copyFile(this.#pathOf(file), part.path)
      const handle = await nodeFs.open(part.path, 'r+')
      try {
        await flushFile(handle)
      } finally {
        await handle.close()
      }
    })
  }

  async removePart(part: { readonly path: string }): Promise<void> {
    await outputOperation(part.path, 'removed', () => rm(part.path, { force: true }))
  }

  async removeFile(file: string): Promise<void> {
    const path = this.#pathOf(file)
    await outputOperation(path, 'removed', () => rm(path, { force: true }))
  }

  async sync(): Promise<void> {
    await syncFoldersOf([this.manifestPath], nodeFs)
  }

  async removeWork(): Promise<void> {
    await outputOperation(this.workPath, 'removed', () => rm(this.workPath, { recursive: true, force: true }))
  }

  #pathOf(file: string): string {
    if (!isFileName(file)) throw new TypeError(`expected the name of a file, got "${file}"`)
    return join(this.path, file)
  }
}
