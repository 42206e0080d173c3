import { discardAll, openTogether } from '../../storage/open-together.ts'
import * as nodeFs from 'node:fs/promises'
import type { FileSystem } from '../../storage/file-system.ts'
import { publish, toFinishedFile } from '../../storage/publication.ts'
import { journalPathFor } from '../../storage/publication-journal.ts'
import { openStagedFile, type StagedFile, type WrittenFile } from '../../storage/staged-file.ts'
import { toLandingManifestPath, type LandingManifest } from '../../sources/landing-manifest.ts'

/** A file that is being landed and its manifest: staged while the lines come, then published together, or discarded. */
export class LandingFiles {
  readonly #lines: StagedFile
  readonly #manifest: StagedFile
  readonly #fs: FileSystem

  private constructor(lines: StagedFile, manifest: StagedFile, fs: FileSystem) {
    this.#lines = lines
    this.#manifest = manifest
    this.#fs = fs
  }

  /** `to` is the path for the lines, compressed if it ends in .gz. */
  static async open(to: string, token: string, fs: FileSystem = nodeFs): Promise<LandingFiles> {
    const manifestPath = toLandingManifestPath(to)
    return openTogether(async (keep) => {
      const lines = keep(await openStagedFile(to, { token, gzip: to.endsWith('.gz') }, fs))
      const manifest = keep(await openStagedFile(manifestPath, { token }, fs))
      return new LandingFiles(lines, manifest, fs)
    })
  }

  /** Appends whole lines. Resolves when there is room for more. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#lines.write(bytes)
  }

  /** Flushes the lines to disk, still under their staging name. */
  finish(): Promise<WrittenFile> {
    return this.#lines.finish()
  }

  /** Renames both into place, the manifest last. Both, or none. */
  async publish(landing: LandingManifest): Promise<void> {
    await this.#manifest.write(Buffer.from(`${JSON.stringify(landing, null, 2)}\n`))
    const manifest = await this.#manifest.finish()
    await publish(
      {
        files: [toFinishedFile(this.#lines, landing.file.sha256)],
        manifest: toFinishedFile(this.#manifest, manifest.sha256),
        journalPath: journalPathFor(this.#manifest.destination),
      },
      this.#fs,
    )
  }

  async discard(): Promise<void> {
    await discardAll([this.#lines, this.#manifest])
  }
}
