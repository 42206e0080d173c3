import pLimit from 'p-limit'
import { z } from 'zod'
import type { ObjectClient } from './object-client.ts'
import { parseJson } from './object-journal.ts'
import { folderOf, nameOf } from './object-path.ts'

/**
 * The objects that the manifest before the present one listed, and the present one does not: they stay until the next
 * publication, for readers that began with that manifest. `<folder>/.<name>.superseded` beside the manifest.
 */
export async function readSuperseded(client: ObjectClient, home: string): Promise<readonly string[]> {
  const bytes = await client.get(pathOf(home))
  if (bytes === null) return []
  const { data } = z.array(z.string()).safeParse(parseJson(bytes))
  // What can't be understood is not removed: nothing that counts depends on it.
  return data ?? []
}

/** Removes the objects that are gone for good and notes those that are kept until the next time. */
export async function removeSuperseded(
  client: ObjectClient,
  home: string,
  { gone, kept }: { readonly gone: readonly string[]; readonly kept: readonly string[] },
): Promise<void> {
  const limit = pLimit(atOnce)
  await Promise.all(gone.map((path) => limit(() => client.remove(path))))
  if (kept.length > 0) await client.put(pathOf(home), Buffer.from(JSON.stringify(kept)))
  else if (gone.length > 0) await client.remove(pathOf(home))
}

function pathOf(home: string): string {
  return `${folderOf(home)}/.${nameOf(home)}.superseded`
}

const atOnce = 8
