import type { AdoptOptions } from './adopt-file.ts'
import type { FinishedFile } from './publication.ts'
import type { PublishableFile, StagedFile, StagedFileOptions } from './staged-file.ts'

export interface StorageFileOptions extends StagedFileOptions {
  /**
   * True for a file of the set that the manifest lists. A storage without renames then gives it a name of this run, the
   * `destination` of the staged file. Default false, for the manifest and the rejects: the name as it is.
   */
  readonly perRun?: boolean
}

export interface StoragePublication {
  readonly files: readonly FinishedFile[]
  /** Published last: with it the files are published. */
  readonly manifest: FinishedFile
  /** The path of the pipeline's manifest, also when another file is published last. The journal is beside it. */
  readonly home: string
  /**
   * Published files that the new manifest does not list any more. Local ones are removed at once; objects with the next
   * publication, so that readers of the former manifest can finish.
   */
  readonly removals: readonly string[]
}

/** The storage of a run's files: this machine's disks, or a bucket. All files of one pipeline are in one. */
export interface FileStorage {
  /**
   * True in a bucket, which has no renames: every run gives its files names of its own. Those of former runs stay for their
   * readers until the publication after the next.
   */
  readonly namesPerRun: boolean
  /** Opens a file that is invisible until it is published. OUTPUT_FAILED when it can't be written. */
  openFile(destination: string, options: StorageFileOptions): Promise<StagedFile>
  /**
   * A finished file of this storage, to be published under another name: by a link where the file system has them, else as a
   * copy. Not for objects, which stay where they are.
   */
  adopt(path: string, destination: string, options: AdoptOptions): Promise<PublishableFile>
  /** Publishes everything or nothing. Resolves with the files that the next run has to clear. */
  publish(publication: StoragePublication): Promise<readonly string[]>
  /** Finishes or undoes the publication of a killed run beside this manifest. */
  recover(home: string): Promise<'none' | 'finished' | 'undone'>
  /** True while a publication beside this manifest has begun and not ended: by a run, or left by one that was killed. */
  isPublishing(home: string): Promise<boolean>
  /** Removes the staged files of killed runs for these destinations. `activeTokens` are those of the runs in this process. */
  clearStale(destinations: readonly string[], activeTokens: ReadonlySet<string>): Promise<void>
  /** Reads a small file; null if there is none. */
  read(path: string): Promise<Uint8Array | null>
  /** Reads the bytes from `from` to before `until`, fewer where the file ends before. Throws OUTPUT_FAILED if there is none. */
  readRange(path: string, from: number, until: number): Promise<Uint8Array>
  /** SHA-256 in lower-case hexadecimal; null if there is no file. */
  hash(path: string): Promise<string | null>
  /** Files of earlier publications that stay beside this manifest for their readers. */
  listSuperseded(home: string): Promise<readonly string[]>
  sizeOf(path: string): Promise<number | null>
  /** The path of a file on this machine: its own, or `copy`, to which an object is streamed. Throws OUTPUT_FAILED if that is missing. */
  toLocal(path: string, copy: string): Promise<string>
  /**
   * Every file in a folder and those below, in the order of names. On disk `enters` says by their names which folders
   * below are looked into, default all; in a bucket all are.
   */
  list(
    folder: string,
    enters?: (name: string) => boolean,
  ): AsyncIterable<{ readonly path: string; readonly bytes: number }>
  /** Removes a file, if it is there. */
  remove(path: string): Promise<void>
  /** Removes a folder with all that is in it, if it is there. */
  removeFolder(path: string): Promise<void>
  close(): Promise<void>
}
