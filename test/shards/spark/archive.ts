import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'

interface ArchiveOptions {
  /** Of the folder of its files, and of the config. */
  readonly name: string
  readonly seed: number
  readonly duplicates?: 'keep' | 'last'
}

/** Number of files of an archive. */
const fileCount = 20

/** Sizes of a shard by the number of shards that an archive then has. */
export type ShardSizes = Readonly<Record<1 | 3 | 20, number>>

/** Writes files of a few products each, compressed and therefore whole in one shard, and the config `NAME.json` that reads them. */
export async function writeArchive(
  folder: string,
  { name, seed, duplicates = 'keep' }: ArchiveOptions,
): Promise<ShardSizes> {
  await mkdir(join(folder, name))
  let total = 0
  for (let file = 0; file < fileCount; file++) {
    const lines = generateLines({ contract: 'v4/product', records: 12, seed: seed * 1000 + file, envelope: true })
    const bytes = gzipSync(Buffer.concat([...lines]))
    await writeFile(join(folder, name, `${String(file).padStart(2, '0')}.ndjson.gz`), bytes)
    total += bytes.length
  }
  await writeFile(join(folder, `${name}.json`), JSON.stringify(toConfig(name, duplicates)))
  // Files have about the same size: seven, seven and six.
  return { 1: total, 3: Math.ceil((7.5 * total) / fileCount), 20: 1 }
}

function toConfig(name: string, duplicates: string) {
  return {
    name: 'archive',
    source: { files: [`${name}/*.ndjson.gz`], contract: 'v4/product' },
    duplicates,
    tables: {
      products: { columns: ['id', 'status', 'name', 'meta.updatedAt'] },
      photos: { each: 'photos[]' },
    },
    outputs: ['parquet', 'csv', 'ndjson'].map((format) => ({ format, path: `out/{table}.${format}` })),
  }
}
