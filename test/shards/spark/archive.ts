import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'

interface ArchiveOptions {
  /** The name of the folder of files, and of the config. */
  readonly name: string
  readonly seed: number
  readonly duplicates?: 'keep' | 'last'
}

const fileCount = 20

/** Sizes of shards that divide an archive into 1, 3 or 20 shards. */
export type ShardSizes = Readonly<Record<1 | 3 | 20, number>>

/**
 * Writes files of a few products each, and the config `NAME.json` that reads them. The files are compressed, so each is
 * whole in one shard.
 */
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
