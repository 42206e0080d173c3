import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { makeDigest } from '../../../src/inspect/digest/digest.ts'
import type { Digest } from '../../../src/inspect/digest/digest-schema.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { cases } from '../../depth.ts'
import { RunFolder } from '../../engine/run-folder.ts'

const nights = 8
type Product = Readonly<Record<string, unknown>>

let folder: RunFolder
let sandbox: Sandbox
beforeAll(async () => {
  folder = await RunFolder.create()
  sandbox = await startSandbox({ products: cases(4000, 800), seed: 11, rateLimit: false })
})
afterAll(async () => {
  await sandbox.close()
  await folder.remove()
})

function toConfig(): PipelineConfig {
  const { baseUrl, keyId, keySecret } = sandbox
  return {
    name: 'products',
    incremental: {},
    maxRemoved: '100%',
    source: { endpoint: 'v4/products/stream', baseUrl, keyId, keySecret, requestsPerMinute: 10_000 },
    locales: ['nl'],
    tables: {
      products: {
        columns: [
          'id',
          'cnk',
          'status',
          'replacement',
          'name',
          { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
        ],
      },
    },
    outputs: [{ format: 'parquet', path: 'out/changes/{table}.parquet', mode: 'changes' }],
  }
}

/** What the log of the sandbox says, product by product: its first state before the span, and its last one. */
function readLog(): string[] {
  const spans = new Map<string, { before: Product | null; after: Product | null }>()
  for (const { id, before, after } of sandbox.changes) {
    const known = spans.get(id)
    spans.set(id, { before: known === undefined ? before : known.before, after })
  }
  const today = new Map([...sandbox.productsOn()].map((product) => [product['id'] as string, product]))
  return [...spans].flatMap(([id, { before, after }]) => judge(id, before, after, today)).toSorted()
}

function judge(
  id: string,
  before: Product | null,
  after: Product | null,
  today: ReadonlyMap<string, Product>,
): string[] {
  const sold = (product: Product | null) => product !== null && (product['status'] ?? 'active') === 'active'
  if (before !== null && after?.['status'] === 'replaced') {
    const again = before['status'] === 'replaced' && before['replacement'] === after['replacement']
    return again ? [] : [`replaced ${id} ${walk(id, today)}`]
  }
  if (!sold(before)) return sold(after) ? [`${before === null ? 'new' : 'back'} ${id}`] : []
  if (!sold(after)) return [`${after === null ? 'gone' : 'withdrawn'} ${id}`]
  const [old, next] = [toCents(before), toCents(after)]
  if (old === next) return []
  const shown = `${id} ${toEuros(before)} ${toEuros(after)}`
  return [old === 0 ? `priced ${shown}` : next === 0 ? `unpriced ${shown}` : `${next > old ? 'up' : 'down'} ${shown}`]
}

/** Zero if it is no price. */
function toCents(product: Product | null): number {
  return Math.max(0, Number(product?.['publicPrice'] ?? 0))
}

function toEuros(product: Product | null): string {
  const cents = product?.['publicPrice'] ?? null
  return cents === null ? 'null' : (Number(cents) / 100).toFixed(2)
}

/** The id of the last successor, or a word for a chain that has none. */
function walk(id: string, today: ReadonlyMap<string, Product>): string {
  const passed = new Set<string>()
  for (let at = id; ;) {
    if (passed.has(at)) return 'cycle'
    passed.add(at)
    const product = today.get(at)
    if (product === undefined) return 'deadEnd'
    if (product['status'] !== 'replaced') return at
    if (typeof product['replacement'] !== 'string') return 'deadEnd'
    at = product['replacement']
  }
}

function list({ entries }: Digest): string[] {
  return entries
    .map(({ kind, id, price, successor }) =>
      [
        kind,
        id,
        ...(price === null ? [] : [String(price.old), String(price.new)]),
        ...(kind === 'replaced' ? [successor?.id ?? successor?.kind] : []),
      ].join(' '),
    )
    .toSorted()
}

describe('a digest of nights', () => {
  test(
    'says of each product what the log of the sandbox says, and nothing else: precision and recall are 1',
    { timeout: 300_000 },
    async () => {
      const config = toConfig()
      const runs: string[] = []
      for (let night = 0; night <= nights; night++) {
        if (night > 0) sandbox.advance()
        // A delta does not see products that vanish without notice.
        const options = { outDir: folder.out, env: {}, now: sandbox.now, workers: 0, fullRefresh: night === nights }
        const { files } = await runPipeline(config, options)
        runs.push(...files.slice(-1).flatMap(({ run }) => run ?? []))
      }
      const plan = planPipeline(config, { env: {}, outDir: folder.out })
      const digest = await makeDigest(plan, { env: {}, since: runs[0] ?? '', now: sandbox.now })
      const [found, expected] = [list(digest), readLog()]
      const right = found.filter((entry) => expected.includes(entry)).length
      expect({ precision: right / found.length, recall: right / expected.length }).toEqual({ precision: 1, recall: 1 })
      expect(found).toEqual(expected)
      const kinds = new Set(digest.entries.map(({ kind }) => kind))
      for (const kind of ['up', 'new', 'back', 'gone', 'withdrawn', 'replaced'] as const) expect(kinds).toContain(kind)
      expect(digest.notes).toEqual([expect.stringContaining('No column has the brand')])
    },
  )
})
