import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import { commitShards } from '../../src/shards/commit/commit-shards.ts'
import { planShards } from '../../src/shards/plan/plan-shards.ts'
import { runShard } from '../../src/shards/run/run-shard.ts'
import { RunFolder } from '../engine/run-folder.ts'
import type { Manifest } from '../../src/manifest/manifest.ts'

let folder: RunFolder

beforeEach(async () => void (folder = await RunFolder.create()))
afterEach(() => folder.remove())

const tables = {
  products: { columns: ['id', 'interfaceVersion', 'documentedPriceUnit'] },
  photos: { each: 'photos[]', columns: ['photoType', 'interfaceVersion'] },
}

/** Only the first record of a file shows its version. */
function toLines(prefix: string, first: object, kind: string): string {
  const lines = Array.from({ length: 300 }, (_, at) =>
    JSON.stringify({
      id: `${prefix}${at}`,
      ...(at === 0 && first),
      ...(at % 2 === 0 && { photos: [{ [kind]: 'packshot' }] }),
    }),
  )
  return lines.map((line) => `${line}\n`).join('')
}

function toConfig(files: readonly string[]): PipelineConfig {
  return {
    name: 'products',
    source: { files: [...files], contract: 'product' },
    tables,
    outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
  }
}

async function readTables({ files }: Manifest): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const { table, path } of files) {
    const text = await readFile(path, 'utf8')
    texts[table] = (texts[table] ?? '') + text.slice(text.indexOf('\n') + 1)
  }
  return texts
}

test('shards of products of both versions have the versions of their files, wherever files are cut', async () => {
  const config = toConfig([
    await folder.write('v3.ndjson', toLines('A', { attributes: [] }, 'type')),
    await folder.write('v4.ndjson', toLines('B', { eanGtin13: null, colors: [] }, 'photoType')),
    await folder.write('small.ndjson', '{"id":"C","photos":[{"type":"packshot"}]}\n'),
  ])
  const whole = await readTables(await runPipeline(config, { outDir: join(folder.path, 'whole') }))
  expect(whole['products']?.match(/,v3,EUR cents$/gm)?.length).toBe(301)
  expect(whole['products']?.match(/,v4,EUR$/gm)?.length).toBe(300)

  const to = join(folder.path, 'plan')
  const { shards } = await planShards(planPipeline(config, { outDir: folder.out }), { to, bytes: 2000 })
  expect(shards.length).toBeGreaterThan(5)
  for (const { number } of shards.toReversed()) await runShard(to, number, { workers: 0 })
  const { report } = await commitShards(to)
  expect(await readTables(report)).toEqual(whole)
})

test("planning shards fails for a file that doesn't show its version", async () => {
  const config = toConfig([await folder.write('open.ndjson', '{"id":"A"}\n')])
  const planned = planShards(planPipeline(config, { outDir: folder.out }), { to: join(folder.path, 'plan') })
  await expect(planned).rejects.toThrow('expected fields of products of one version of the interface')
})
