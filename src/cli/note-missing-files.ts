import { readdir } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { type Problem, problemAt } from '../config/problem.ts'
import { CatalogueError } from '../errors.ts'
import { closest } from '../text/choices.ts'
import { isObjectPath } from '../storage/s3/object-path.ts'
import { withObjects } from '../storage/s3/with-objects.ts'
import type { SourcePlan } from '../plan/source/source-plan.ts'
import { findFiles } from '../sources/find-files.ts'

/**
 * Notes on files of a source that do not exist: they may come later, but a run now would not find them. Buckets are not
 * asked.
 */
export async function noteMissingFiles(source: SourcePlan): Promise<Problem[]> {
  if (source.kind === 'service') return []
  const notes: Problem[] = []
  for (const file of source.files) {
    if (file === '-' || isObjectPath(file)) continue
    const missing = await findMissing(file)
    if (missing === null) continue
    const from = isAbsolute(file) ? '' : ` (from ${process.cwd()})`
    const message = `files: ${missing}${from}: a run would end here`
    notes.push(problemAt(['source', 'files'], message, await findSimilar(file)))
  }
  return notes
}

async function findMissing(file: string): Promise<string | null> {
  try {
    await withObjects({}, (objects) => findFiles([file], objects))
    return null
  } catch (error) {
    if (error instanceof CatalogueError) return error.message
    throw error
  }
}

/** A file with a similar name in the same folder. */
async function findSimilar(file: string): Promise<string | undefined> {
  const names = await readdir(dirname(file)).catch(() => [])
  const name = closest(basename(file), names)
  return name === undefined ? undefined : join(dirname(file), name)
}
