import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RequiredContext } from '../run-context.ts'
import { createFolders, flushFile, syncFoldersOf } from './file-system.ts'
import { failedWith, outputOperation } from './output-operation.ts'
import { readPreviousInode } from './publication-steps.ts'
import type { PublishableFile, WrittenFile } from './staged-file.ts'
import { stagingPath } from './staging-names.ts'

export interface AdoptOptions extends RequiredContext<'token'> {
  readonly written: WrittenFile
}

/** Stages a finished file for a second destination: as a link, or as a copy if the file system can't link it there. */
export async function adoptFile(
  path: string,
  destination: string,
  { token, written }: AdoptOptions,
): Promise<PublishableFile> {
  const staging = stagingPath(destination, { pid: process.pid, token })
  const created = await outputOperation(destination, 'given a folder', () => createFolders(dirname(destination), fs))
  await syncFoldersOf(created, fs)
  await readPreviousInode(destination, fs)
  await outputOperation(destination, 'created', () => linkOrCopy(path, staging))
  const discard = () => outputOperation(destination, 'discarded', () => fs.rm(staging, { force: true }))
  return { destination, path: staging, finish: () => Promise.resolve(written), discard }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await fs.link(from, to)
  } catch (error) {
    if (!noLinks.some((code) => failedWith(error, code))) throw error
    await fs.copyFile(from, to, fs.constants.COPYFILE_EXCL)
    const file = await fs.open(to, 'r+')
    try {
      await flushFile(file)
    } finally {
      await file.close()
    }
  }
}

const noLinks = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']
