import type { RequiredContext } from '../../run-context.ts'
import type { ObjectReader } from './object-reader.ts'

/** Loads the AWS SDK with the first request only: most runs read no objects. */
export function createObjectReader(env: RequiredContext<'env'>['env']): ObjectReader {
  let loading: Promise<ObjectReader> | undefined
  let loaded: ObjectReader | undefined
  const load = async (): Promise<ObjectReader> => (loaded = await (loading ??= loadReader(env)))
  return {
    find: async (path) => (await load()).find(path),
    list: async (prefix) => (await load()).list(prefix),
    isFolder: async (path) => (await load()).isFolder(path),
    get: async (path) => (await load()).get(path),
    readAt: async (object, position, length) => (await load()).readAt(object, position, length),
    async *read(object, range) {
      yield* (await load()).read(object, range)
    },
    close: () => loaded?.close(),
  }
}

async function loadReader(env: RequiredContext<'env'>['env']): Promise<ObjectReader> {
  const { createS3Reader } = await import('./s3-reader.ts')
  return createS3Reader(env)
}
