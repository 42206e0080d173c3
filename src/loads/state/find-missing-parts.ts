import { resolve } from 'node:path'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import { listParts } from './list-parts.ts'
import type { PublishedManifest } from './published-state.ts'

/**
 * Files that earlier runs added to outputs and that are gone, in a sentence an output: no run brings them back. Other
 * outputs are written anew where a file is missing, or end the run where the next one begins with it.
 */
export async function describeMissingParts(
  { files }: Pick<PipelinePlan, 'files'>,
  published: PublishedManifest | null,
  storage: Pick<FileStorage, 'list'>,
): Promise<string[]> {
  const sentences: string[] = []
  for (const { path } of files.filter(({ mode }) => mode === 'append')) {
    const isOf = ({ mode, base }: PublishedManifest['files'][number]) =>
      mode === 'append' && base !== undefined && resolve(base) === resolve(path)
    const listed = (published?.files ?? []).filter(isOf)
    if (listed.length === 0) continue
    const there = new Set((await listParts(path, storage)).map((part) => resolve(part)))
    const gone = listed.filter((part) => !there.has(resolve(part.path)))
    if (gone.length === 0) continue
    const first = gone.slice(0, 3).map((part) => `"${part.path}"`)
    const more = gone.length > 3 ? ` and ${gone.length - 3} more` : ''
    sentences.push(
      `${path}: expected the ${listed.length} files that earlier runs added, got all but ${gone.length}, which the manifest goes on listing: ${first.join(', ')}${more}`,
    )
  }
  return sentences
}
