import * as nodeFs from 'node:fs/promises'
import type { FileSystem } from '../../storage/file-system.ts'
import { createLocalStorage } from '../../storage/local-storage.ts'
import type { StagedFile, WrittenFile } from '../../storage/staged-file.ts'
import { StagedSet } from '../../storage/staged-set.ts'
import { toLandingManifestPath } from '../../sources/landing-manifest.ts'
import type { LandingManifest } from '../../manifest/manifest.ts'

/** A file that is being landed, with its manifest. Both are staged, and then published together or discarded. */
export class LandingFiles {
  readonly #set: StagedSet
  readonly #lines: StagedFile
  readonly #manifest: StagedFile

  private constructor(set: StagedSet, lines: StagedFile, manifest: StagedFile) {
    this.#set = set
    this.#lines = lines
    this.#manifest = manifest
  }

  static async open(to: string, token: string, fs: FileSystem = nodeFs): Promise<LandingFiles> {
    return StagedSet.begin({ storage: createLocalStorage(fs), token }, async (set) => {
      const lines = await set.open(to, { gzip: to.endsWith('.gz') })
      return new LandingFiles(set, lines, await set.open(toLandingManifestPath(to)))
    })
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#lines.write(bytes)
  }

  finish(): Promise<WrittenFile> {
    return this.#lines.finish()
  }

  /** Renames both into place or neither, the manifest last. */
  async publish(landing: LandingManifest): Promise<void> {
    await this.#manifest.write(Buffer.from(`${JSON.stringify(landing, null, 2)}\n`))
    await this.#set.publish({ manifest: this.#manifest })
  }

  discard(): Promise<void> {
    return this.#set.discard()
  }
}
