import type { RequiredContext } from '../run-context.ts'
import type { FileStorage, StorageFileOptions, StoragePublication } from './file-storage.ts'
import { discardAll, type Discardable, openTogether } from './open-together.ts'
import { type FinishedFile, toFinishedFile } from './publication.ts'
import type { PublishableFile, StagedFile } from './staged-file.ts'

export interface StagingPlace extends RequiredContext<'token'> {
  readonly storage: Pick<FileStorage, 'openFile' | 'publish'>
}

/** The files to publish; any that is not finished yet is finished first. */
export interface SetPublication extends Partial<Pick<StoragePublication, 'home' | 'removals'>> {
  /** Published last. Its path is the default of `home`. */
  readonly manifest: PublishableFile
  /** Default: all other files of the set, in the order in which they were opened. */
  readonly files?: readonly PublishableFile[]
}

/** Staged files, on disk or in a bucket, that are published or discarded together. */
export class StagedSet {
  readonly #place: StagingPlace
  readonly #files = new Set<StagedFile>()
  readonly #kept: Discardable[] = []

  constructor(place: StagingPlace) {
    this.#place = place
  }

  /** Passes a new set to `use`. If `use` throws, discards everything it staged. */
  static begin<Result>(place: StagingPlace, use: (set: StagedSet) => Promise<Result>): Promise<Result> {
    return openTogether((keep) => use(keep(new StagedSet(place))))
  }

  async open(destination: string, options: Omit<StorageFileOptions, 'token'> = {}): Promise<StagedFile> {
    const { storage, token } = this.#place
    const staged = await storage.openFile(destination, { ...options, token })
    const file: StagedFile = {
      ...staged,
      discard: () => {
        this.#files.delete(file)
        return staged.discard()
      },
    }
    this.#files.add(file)
    return file
  }

  async write(destination: string, ...pieces: readonly (Uint8Array | string)[]): Promise<StagedFile> {
    const file = await this.open(destination)
    for (const piece of pieces) await file.write(typeof piece === 'string' ? Buffer.from(piece) : piece)
    await file.finish()
    return file
  }

  /** Registers a writer of files of the set, to be discarded before them. */
  keep<Opened extends Discardable>(opened: Opened): Opened {
    this.#kept.push(opened)
    return opened
  }

  async publish(publication: SetPublication): Promise<readonly string[]> {
    const { manifest, home = manifest.destination, removals = [] } = publication
    const { files = [...this.#files].filter((file) => file !== manifest) } = publication
    const finished: FinishedFile[] = []
    for (const file of new Set(files)) finished.push(await finish(file))
    return this.#place.storage.publish({ files: finished, manifest: await finish(manifest), home, removals })
  }

  /** Removes everything that was not published. */
  async discard(): Promise<void> {
    try {
      await discardAll(this.#kept)
    } finally {
      await discardAll([...this.#files])
    }
  }
}

async function finish(file: PublishableFile): Promise<FinishedFile> {
  return toFinishedFile(file, (await file.finish()).sha256)
}
