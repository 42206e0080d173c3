import { createHash } from 'node:crypto'
import { CatalogueError } from '../errors.ts'
import type { Completeness } from './completeness.ts'
import { toLandingManifestPath, type Landing } from './landing-manifest.ts'

/** Whether a file is still the one that was landed, found out on the way while it is read. */
export class LandingCheck {
  readonly #file: string
  readonly #landing: Landing
  readonly #hash = createHash('sha256')
  #bytes = 0
  #completeness: Completeness = { status: 'unprovable', reasons: ['it was not read to its end'], total: null }

  constructor(file: string, landing: Landing) {
    this.#file = file
    this.#landing = landing
  }

  /** The verdict over the answers of the service, once the file is known to hold them. */
  get completeness(): Completeness {
    return this.#completeness
  }

  /** Takes the next bytes of the file, as they stand on disk. */
  take(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.#bytes += bytes.length
  }

  /** Throws SOURCE_DAMAGED where the bytes were not those that were landed. */
  finish(): void {
    const { bytes, sha256 } = this.#landing.file
    const found = this.#hash.digest('hex')
    if (this.#bytes !== bytes || found !== sha256) {
      const expected = `expected the ${bytes} bytes with sha256 ${sha256} that ${toLandingManifestPath(this.#file)} tells of`
      const got = `got ${this.#bytes} bytes with sha256 ${found}`
      throw new CatalogueError('SOURCE_DAMAGED', `${this.#file}: ${expected}, ${got}`)
    }
    this.#completeness = this.#landing.completeness
  }
}
