import { openStorage } from '../storage/open-storage.ts'
import type { LakeFormat, LakeSession } from './lake-format.ts'
import type { LakePlace } from './lake-plan.ts'
import type { LakeOptions } from './lake-session.ts'

export type ConnectOptions = Pick<LakeOptions, 'env' | 'settings' | 'signal' | 'storage'>

/** Throws PEER_MISSING without the AWS SDK for a bucket, TARGET_FAILED and TARGET_REFUSED for a catalog. */
export async function connectLake(
  { target }: { readonly target: LakePlace },
  options: ConnectOptions,
): Promise<Pick<LakeSession, 'format' | 'storage'>> {
  const { env = process.env, settings, storage } = options
  if (target.catalog !== undefined) {
    const { connectCatalog } = await import('./iceberg/catalog/connect-catalog.ts')
    return connectCatalog(target.catalog, options)
  }
  const format = await loadFormat(target)
  return { format, storage: storage ?? (await openStorage(target.path, env, { settings })) }
}

async function loadFormat({ format }: LakePlace): Promise<LakeFormat> {
  switch (format) {
    case 'delta':
      return (await import('./delta/delta-format.ts')).delta
    case 'iceberg':
      return (await import('./iceberg/iceberg-format.ts')).iceberg
  }
}
