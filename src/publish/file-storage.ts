import type { FinishedFile } from './publication.ts'
import type { StagedFile, StagedFileOptions } from './staged-file.ts'

export interface StorageFileOptions extends StagedFileOptions {
  /**
   * Whether the file belongs to the set that the manifest lists. Where there are no renames it then gets a name of this
   * run, which is the `destination` of what is opened. Default false: the name as it is, for the manifest and the rejects.
   */
  readonly perRun?: boolean
}

export interface StoragePublication {
  readonly files: readonly FinishedFile[]
  /** With it the files are published. */
  readonly manifest: FinishedFile
  /** The path of the pipeline's manifest, also when something else is published last. What helps to recover stands beside it. */
  readonly home: string
  /**
   * Published files that the new manifest does not list any more. Local ones go at once; objects go with the next
   * publication, so that whoever reads by the manifest of before comes to an end.
   */
  readonly removals: readonly string[]
}

/** Where the files of a run stand: this machine's disks, or a bucket. All files of one pipeline are in one. */
export interface FileStorage {
  /** Opens a file that nobody sees until it is published. OUTPUT_FAILED when it can't be written. */
  openFile(destination: string, options: StorageFileOptions): Promise<StagedFile>
  /** Publishes everything or nothing. Resolves with what is left to be cleared by the next run. */
  publish(publication: StoragePublication): Promise<readonly string[]>
  /** Finishes or undoes what a killed run left half published beside this manifest. */
  recover(home: string): Promise<'none' | 'finished' | 'undone'>
  /** True while a publication beside this manifest has begun and not ended: by a run, or left by one that was killed. */
  isPublishing(home: string): Promise<boolean>
  /** Removes what killed runs left of these destinations before they published. `activeTokens` are those that go on here. */
  clearStale(destinations: readonly string[], activeTokens: ReadonlySet<string>): Promise<void>
  /** All of a small file; null where there is none. */
  read(path: string): Promise<Uint8Array | null>
  /** SHA-256 in lower-case hexadecimal; null where there is no file. */
  hash(path: string): Promise<string | null>
  /** Files of earlier publications that stay beside this manifest for their readers. */
  listSuperseded(home: string): Promise<readonly string[]>
  /** Null where there is none. */
  sizeOf(path: string): Promise<number | null>
  /** Streams a file to this machine. Throws OUTPUT_FAILED where there is none. */
  copyToLocal(path: string, localPath: string): Promise<void>
  /**
   * Every file in a folder and those below, in the order of names. On disk `enters` says by their names which folders
   * below are looked into, default all; in a bucket all are.
   */
  list(
    folder: string,
    enters?: (name: string) => boolean,
  ): AsyncIterable<{ readonly path: string; readonly bytes: number }>
  /** Nothing happens where there is none. */
  remove(path: string): Promise<void>
  /** Gives back connections. */
  close(): Promise<void>
}
