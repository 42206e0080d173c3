import { IdSet } from '../../engine/reading/id-set.ts'
import type { ExtentReader } from './extent-file.ts'
import { listBlockIds } from './id-file.ts'

/** How many ids of all files together another one before them equals. Memory is that of one bucket. */
export async function countRepeatedIds(files: readonly ExtentReader[], buckets: number): Promise<number> {
  let repeated = 0
  for (let bucket = 0; bucket < buckets; bucket++) {
    const ids = new IdSet()
    for (const file of files)
      for await (const extent of file.read(bucket))
        for (const { at, words } of listBlockIds(extent)) if (!ids.addEntry(extent, at, words)) repeated++
  }
  return repeated
}
