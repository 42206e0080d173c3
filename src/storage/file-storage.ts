import type { RunContext } from '../run-context.ts'
import type { AdoptOptions } from './adopt-file.ts'
import type { FinishedFile } from './publication.ts'
import type { Lock, LockOptions, LockReport } from './lock/wait-for-lock.ts'
import type { PublishableFile, StagedFile, StagedFileOptions } from './staged-file.ts'

export interface StorageFileOptions extends StagedFileOptions {
  /**
   * True for a file of the set that the manifest lists. A storage without renames then gives it a name of this run, the
   * `destination` of the staged file. Default false, for the manifest and the rejects: the name as it is.
   */
  readonly perRun?: boolean
}

export interface StorageLockOptions extends LockOptions, Pick<RunContext, 'onWarning'> {}

export interface StoragePublication {
  readonly files: readonly FinishedFile[]
  /** Published last: its appearance publishes the files. */
  readonly manifest: FinishedFile
  /** The path of the pipeline's manifest, even if another file is published last. The journal is beside it. */
  readonly home: string
  /**
   * Published files that the new manifest does not list any more. Local ones are removed at once; objects with the next
   * publication, so that readers of the former manifest can finish.
   */
  readonly removals: readonly string[]
}

export interface ListedFile {
  readonly path: string
  readonly bytes: number
  readonly modifiedAt: Date
}

export interface ListedUpload {
  readonly path: string
  readonly begunAt: Date
  readonly abort: () => Promise<void>
}

/** The storage of a run's files: this machine's disks, or one bucket. A pipeline has all its files in one storage. */
export interface FileStorage {
  /**
   * True in a bucket, which has no renames: every run gives its files names of its own. Those of former runs stay for their
   * readers until the publication after the next.
   */
  readonly namesPerRun: boolean
  /**
   * Takes the lock of the pipeline with this manifest: a file beside it, or a lease in the bucket. Throws LOCKED while
   * another run has it.
   */
  lock(home: string, options: StorageLockOptions): Promise<Lock>
  /** Who has the lock; null if nobody does. Changes nothing. */
  readLock(home: string): Promise<LockReport | null>
  /**
   * Takes the lock from its holder, which publishes nothing then, and releases it. Resolves with the former state. Throws
   * LOCKED if the lock is a file, and the holder's process runs on this machine.
   */
  breakLock(home: string, by: Pick<LockOptions, 'subject' | 'run'>): Promise<LockReport | null>
  /** Opens a file that is invisible until it is published. Throws OUTPUT_FAILED if it can't be written. */
  openFile(destination: string, options: StorageFileOptions): Promise<StagedFile>
  /**
   * Stages a finished file of this storage for another destination: as a link if the file system has them, otherwise as
   * a copy. Objects stay where they are.
   */
  adopt(path: string, destination: string, options: AdoptOptions): Promise<PublishableFile>
  /** Publishes everything or nothing. Resolves with the files that the next run has to clear. */
  publish(publication: StoragePublication): Promise<readonly string[]>
  /** Gives a finished file its destination's name at once, alone, for a file that counts only once another one lists it. */
  place(file: FinishedFile): Promise<void>
  /**
   * Writes a whole file, or returns false if there is one already, whoever wrote it: of several writers one gets true. Throws
   * OUTPUT_REFUSED if the storage can't decide that. After OUTPUT_FAILED the file may be there, as an answer may be lost.
   */
  create(path: string, bytes: Uint8Array): Promise<boolean>
  recover(home: string): Promise<'none' | 'finished' | 'undone'>
  /** True from the beginning to the end of a publication beside this manifest, even if its run was killed. */
  isPublishing(home: string): Promise<boolean>
  /**
   * Removes the staged files of killed runs for these destinations. `activeTokens` are the tokens of the runs in this
   * process.
   */
  clearStale(destinations: readonly string[], activeTokens: ReadonlySet<string>): Promise<void>
  read(path: string): Promise<Uint8Array | null>
  /**
   * Reads the bytes from `from` to before `until`, fewer if the file ends before. Throws OUTPUT_FAILED if there is no
   * file.
   */
  readRange(path: string, from: number, until: number): Promise<Uint8Array>
  hash(path: string): Promise<string | null>
  listSuperseded(home: string): Promise<readonly string[]>
  sizeOf(path: string): Promise<number | null>
  /**
   * Returns the path of a local file as it is; streams an object to `copy` and returns that. Throws OUTPUT_FAILED if
   * there is none.
   */
  toLocal(path: string, copy: string): Promise<string>
  /**
   * Lists the files in a folder and in those below, sorted by name. On disk, `enters` chooses the folders below by name
   * (default all); a bucket lists all.
   */
  list(folder: string, enters?: (name: string) => boolean): AsyncIterable<ListedFile>
  /** Lists the uploads into a folder that nobody has finished; none on disk, which has staged files. */
  listUploads(folder: string): AsyncIterable<ListedUpload>
  remove(path: string): Promise<void>
  removeFolder(path: string): Promise<void>
  close(): Promise<void>
}
