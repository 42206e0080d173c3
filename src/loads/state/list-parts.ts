import { dirname, resolve } from 'node:path'
import { toPartNamePattern } from '../files/part-paths.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import { folderOf, isObjectPath, nameOf } from '../../publish/objects/object-path.ts'

/** The files that an output has, in folders of runs and partitions. */
export async function listParts(path: string, storage: Pick<FileStorage, 'list'>): Promise<string[]> {
  const folder = isObjectPath(path) ? folderOf(path) : dirname(path)
  const pattern = toPartNamePattern(path)
  const isPart = (candidate: string) => {
    const folders = toRelative(candidate, folder).split('/').slice(0, -1)
    const isOwnFolder = folders.every((name) => name.includes('='))
    return isOwnFolder && pattern.test(nameOf(candidate.replaceAll('\\', '/')).replace(/\.run-[\w-]+/, ''))
  }
  return (await listFiles(folder, (name) => name.includes('='), storage)).filter(isPart)
}

function toRelative(path: string, folder: string): string {
  const [inner, outer] = isObjectPath(path) ? [path, folder] : [resolve(path), resolve(folder)]
  return inner.slice(outer.length + 1).replaceAll('\\', '/')
}

/** Every file in a folder, but what killed runs left under staging names. */
export async function listFiles(
  folder: string,
  enters: (name: string) => boolean,
  storage: Pick<FileStorage, 'list'>,
): Promise<string[]> {
  const paths: string[] = []
  for await (const { path } of storage.list(folder, enters)) {
    if (!nameOf(path.replaceAll('\\', '/')).startsWith('.')) paths.push(path)
  }
  return paths
}
