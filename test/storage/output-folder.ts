import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { journalPathFor } from '../../src/storage/publication-journal.ts'
import type { FinishedFile, Publication } from '../../src/storage/publication.ts'
import { stagingPath } from '../../src/storage/staging-names.ts'

/** A folder of outputs that are published in versions named by letters. Each file names its version. */
export class OutputFolder {
  readonly path: string
  readonly outputs: readonly string[]
  readonly manifest: string
  readonly journal: string
  /** A file of version A without a new version. */
  readonly superseded: string

  constructor(path: string, fileCount: number) {
    this.path = path
    this.outputs = Array.from({ length: fileCount }, (_, index) => join(path, `table${index}.csv`))
    this.manifest = join(path, '_manifest.json')
    this.journal = journalPathFor(this.manifest)
    this.superseded = join(path, 'superseded.csv')
  }

  static async create(fileCount: number): Promise<OutputFolder> {
    return new OutputFolder(await mkdtemp(join(tmpdir(), 'publication-')), fileCount)
  }

  get destinations(): string[] {
    return [...this.outputs, this.manifest]
  }

  /** Writes a version of these destinations, and removes all others. */
  async reset(version: string, destinations: readonly string[] = this.destinations): Promise<void> {
    for (const name of await readdir(this.path)) await rm(join(this.path, name), { recursive: true })
    for (const path of [...destinations, this.superseded]) await writeFile(path, this.content(path, version))
  }

  /** Stages a version, ready to be published. */
  async stage(version: string, token: string): Promise<Publication> {
    const staged = await Promise.all(
      this.destinations.map((destination) => this.#stageFile(destination, version, token)),
    )
    return {
      files: staged.slice(0, -1),
      manifest: staged.at(-1)!,
      journalPath: this.journal,
      removals: [this.superseded],
    }
  }

  /** The version of each destination, `absent`, or what is wrong with it. */
  async versions(): Promise<string[]> {
    return Promise.all(this.destinations.map((path) => this.#version(path)))
  }

  async hasSuperseded(): Promise<boolean> {
    return (await readdir(this.path)).includes(basename(this.superseded))
  }

  /** The names in the folder that are of no version. */
  async leftOvers(): Promise<string[]> {
    const known = new Set([...this.destinations, this.superseded].map((path) => basename(path)))
    return (await readdir(this.path)).filter((name) => !known.has(name)).sort()
  }

  content(path: string, version: string): string {
    if (path !== this.manifest) return `${version} of ${basename(path)}\n`.repeat(200)
    const sums = this.outputs.map((output) => [basename(output), sha256(this.content(output, version))])
    return JSON.stringify({ version, files: Object.fromEntries(sums) })
  }

  async #stageFile(destination: string, version: string, token: string): Promise<FinishedFile> {
    const path = stagingPath(destination, { pid: process.pid, token })
    const content = this.content(destination, version)
    await writeFile(path, content)
    return { path, destination, sha256: sha256(content) }
  }

  async #version(path: string): Promise<string> {
    const found = await readFile(path, 'utf8').catch(() => 'absent')
    return ['absent', 'A', 'B'].find((version) => found === version || found === this.content(path, version)) ?? 'torn'
  }
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
