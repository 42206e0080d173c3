import { z } from 'zod'
import type { FileStorage } from './file-storage.ts'
import { isObjectPath, isRunPathOf } from './objects/object-path.ts'

/**
 * The objects that the manifest in place lists for these outputs: the next one lists others, since every run has names of
 * its own. None on disk, where files keep their names.
 */
export async function listSuperseded(
  storage: FileStorage,
  manifestPath: string,
  outputs: readonly string[],
): Promise<readonly string[]> {
  if (!isObjectPath(manifestPath)) return []
  const bytes = await storage.read(manifestPath)
  const { data } = published.safeParse(bytes === null ? null : parseJson(bytes))
  // What is no manifest of ours names nothing that is ours.
  const paths = (data?.files ?? []).map(({ path }) => path)
  return paths.filter((path) => outputs.some((output) => isRunPathOf(path, output)))
}

const published = z.object({ files: z.array(z.object({ path: z.string() })) })

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    // See above.
    return null
  }
}
