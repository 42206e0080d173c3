import { z } from 'zod'
import type { FileStorage } from '../../publish/file-storage.ts'
import { joinPath } from '../attempt-paths.ts'

/** What `shards resolve` found, beside the file of the excluded lines. */
export interface Resolution {
  readonly format: 1
  readonly planId: string
  /** Valid records whose id another one before them has. */
  readonly repeatedIds: number
  /** By shard: what its stage of ids has read. */
  readonly inputDigests: readonly string[]
  /** Bytes of the file of excluded lines. */
  readonly bytes: number
}

const resolution = z.object({
  format: z.literal(1),
  planId: z.string(),
  repeatedIds: z.int(),
  inputDigests: z.array(z.string()),
  bytes: z.int(),
})

export function resolutionPathOf(folder: string): string {
  return joinPath(folder, 'excluded', 'resolved.json')
}

export function excludedPathOf(folder: string): string {
  return joinPath(folder, 'excluded', 'lines.bin')
}

/** Null where the ids of this plan are not resolved. */
export async function readResolution(
  folder: string,
  planId: string,
  storage: Pick<FileStorage, 'read'>,
): Promise<Resolution | null> {
  const bytes = await storage.read(resolutionPathOf(folder))
  if (bytes === null) return null
  const { data } = resolution.safeParse(JSON.parse(Buffer.from(bytes).toString()))
  return data?.planId === planId ? data : null
}
