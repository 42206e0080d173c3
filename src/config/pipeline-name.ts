import { basename } from 'node:path'

/** The name of a file without folders and endings, as a pipeline may have it. */
export function toPipelineName(path: string): string {
  const name = basename(path).replace(/\.[^.]*(?:\.gz)?$/, '')
  return path === '-' ? 'stdin' : name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^[-_]+|-+$/g, '') || 'file'
}
