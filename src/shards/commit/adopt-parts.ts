import pLimit from 'p-limit'
import type { OutputFile } from '../../engine/outputs/output-file.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { allOrFirstFailure } from '../../storage/open-together.ts'
import type { StagedSet } from '../../storage/staged-set.ts'
import { joinPath } from '../../storage/paths.ts'
import { toShardPath } from '../attempt-paths.ts'
import type { AddedShard } from './add-shards.ts'
import { damagedFile } from './damaged-file.ts'

interface Part {
  readonly plan: FilePlan
  readonly shard: AddedShard
  readonly file: number
}

export function listParts(files: readonly FilePlan[], shards: readonly AddedShard[]): Part[] {
  return files.flatMap((file, at) =>
    shards.map((shard, number) => ({ plan: { ...file, path: toShardPath(file.path, number) }, shard, file: at })),
  )
}

/** Adopts the parts as finished outputs. Throws SHARDS_INCOMPLETE if a part isn't as its attempt left it. */
export async function adoptParts(
  parts: readonly Part[],
  token: string,
  storage: FileStorage,
  set: StagedSet,
): Promise<OutputFile[]> {
  const limit = pLimit(mostAtOnce)
  // Waits for all, even if one fails: files that are opened later would stay.
  return allOrFirstFailure(parts.map((part) => limit(() => adoptPart(part, token, storage, set))))
}

const mostAtOnce = 16

async function adoptPart(
  { plan, shard, file }: Part,
  token: string,
  storage: FileStorage,
  set: StagedSet,
): Promise<OutputFile> {
  const { attempt, files, rows } = shard
  const written = shard.written.files[file] ?? { bytes: 0, sha256: '' }
  const part = files.parts[file] ?? ''
  const { namesPerRun: isInPlace } = storage
  const path = isInPlace ? part : joinPath(attempt.folder, part)
  const found = await storage.sizeOf(path)
  if (found !== written.bytes)
    throw damagedFile(path, `${written.bytes} bytes`, found === null ? 'no file' : `${found}`)
  const staged = isInPlace
    ? { destination: path, path, finish: async () => written, discard: async () => {} }
    : set.keep(await storage.adopt(path, plan.path, { token, written }))
  return {
    plan,
    staged,
    isInPlace,
    write: () => Promise.reject(new TypeError(`${path}: written to after its attempt`)),
    finish: () => Promise.resolve({ ...written, rows: rows[plan.table] ?? 0 }),
    discard: () => staged.discard(),
  }
}
