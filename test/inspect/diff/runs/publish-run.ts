import { join } from 'node:path'
import type { PipelineConfig } from '../../../../src/config/schemas/pipeline-schema.ts'
import { diff, type DiffOptions } from '../../../../src/inspect/diff/diff.ts'
import { forcedWorkers } from '../../../forced-workers.ts'
import type { RunFolder } from '../../../engine/run-folder.ts'
import { toStream } from '../seed-changes.ts'

export type Format = 'csv' | 'ndjson' | 'parquet' | 'xlsx'

export const tables = {
  products: { columns: ['id', 'status', 'publicPrice', 'name', 'ean', 'meta.updatedAt', 'meta.createdAt'] },
  product_photos: { each: 'photos[]', columns: ['id', 'formats.large'] },
  eans: { each: 'ean[]' },
} satisfies PipelineConfig['tables']

/** Publishes the products in a folder of this name; gives its path. */
export async function publishRun(
  folder: RunFolder,
  name: string,
  products: readonly object[],
  format: Format,
  changes: Partial<PipelineConfig> = {},
): Promise<string> {
  const files = await folder.write(`${name}.ndjson`, toStream(products))
  const outDir = join(folder.path, name)
  const outputs = [{ format, path: `{table}.${format}` }]
  const { source, ...config } = changes
  await folder.run({ locales: ['nl', 'fr'], tables, outputs, ...config, source: { files, ...source } }, { outDir })
  return outDir
}

export async function compareRuns(old: string, next: string, options: Partial<DiffOptions> = {}) {
  const warnings: string[] = []
  const signal = new AbortController().signal
  const onWarning = (message: string) => void warnings.push(message)
  return { report: await diff(old, next, { env: forcedWorkers, signal, onWarning, ...options }), warnings }
}
