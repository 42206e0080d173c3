import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runPipeline } from '../../src/index.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'

test('twelve runs at a time in one process publish the same, and Node warns of nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parallel-'))
  const warnings: Error[] = []
  const listen = (warning: Error): void => void warnings.push(warning)
  process.on('warning', listen)
  try {
    const files = join(folder, 'export.ndjson')
    await writeFile(files, [...generateLines({ contract: 'v4/product', records: 50, seed: 1 })])
    const runs = Array.from({ length: 12 }, (_, number) =>
      runPipeline(
        {
          name: `p${number}`,
          source: { files, contract: 'v4/product' },
          outputs: [{ format: 'csv', path: '{table}.csv' }],
        },
        { outDir: join(folder, `out${number}`) },
      ),
    )
    const reports = await Promise.all(runs)
    expect(reports.map(({ ledger }) => ledger.accepted)).toEqual(runs.map(() => 50))
    const outputs = runs.map((_, number) => readFile(join(folder, `out${number}`, 'products.csv'), 'utf8'))
    expect(new Set(await Promise.all(outputs)).size).toBe(1)
    await new Promise(setImmediate)
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', listen)
    await rm(folder, { recursive: true })
  }
})
