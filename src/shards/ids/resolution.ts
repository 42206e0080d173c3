import { z } from 'zod'
import type { DeepReadonly } from '../../manifest/manifest.ts'
import { tryJson } from '../../manifest/try-json.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { joinPath } from '../../storage/paths.ts'

/** The outcome of `shards resolve`, in a folder of its own with the file of the lines that are left out. */
const resolution = z.object({
  format: z.literal(1),
  planId: z.string(),
  token: z.string(),
  resolvedAt: z.string(),
  /** Valid records that are left out because another line of the same id is kept. */
  repeatedIds: z.int(),
  /** By shard: the digest of its result in the stage of ids, and of the bytes it has read. */
  ids: z.array(z.object({ digest: z.string(), inputDigest: z.string() })),
  lines: z.object({ bytes: z.int(), sha256: z.string() }),
})

export type Resolution = DeepReadonly<z.output<typeof resolution>>

export function resolutionPathOf(folder: string, token: string): string {
  return joinPath(folder, excludedName, token, resolutionName)
}

export function linesPathOf(folder: string, token: string): string {
  return joinPath(folder, excludedName, token, 'lines.bin')
}

const excludedName = 'excluded'
const resolutionName = 'resolved.json'

/** The latest resolution of a plan; null if its ids are not resolved. */
export async function readResolution(
  folder: string,
  planId: string,
  storage: Pick<FileStorage, 'read' | 'list'>,
): Promise<Resolution | null> {
  const found: Resolution[] = []
  for await (const { path } of storage.list(joinPath(folder, excludedName), isToken)) {
    if (!isResolution.test(path)) continue
    const read = resolution.safeParse(tryJson((await storage.read(path)) ?? '')).data
    if (read?.planId === planId) found.push(read)
  }
  return found.toSorted((a, b) => (a.resolvedAt < b.resolvedAt ? -1 : 1)).at(-1) ?? null
}

function isToken(name: string): boolean {
  return /^[0-9a-f]{12}$/.test(name)
}

const isResolution = /[\\/][0-9a-f]{12}[\\/]resolved\.json$/
