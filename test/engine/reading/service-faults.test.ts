import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { RunFolder } from '../run-folder.ts'
import { forcedWorkers } from '../../forced-workers.ts'
import { fewOf } from '../../depth.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'

// The jitter of a back-off goes from nothing to its ceiling: here it is nothing.
beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterAll(() => void vi.restoreAllMocks())

type Source = Partial<PipelineConfig['source']>

const records = 40
const ways: [string, Source][] = [
  ['a v4 stream', { endpoint: 'v4/products/stream' }],
  ['a v3 export', { endpoint: 'v3/products/export' }],
  ['pages', { endpoint: 'v4/products/query', page: { size: 10 } }],
  ['one document', { endpoint: 'v4/product-families/query' }],
]

const once = ['cut=6', 'cut=6.5', 'reset=6', 'short=6', 'error-line=6', 'gap=6', 'repeat=6', 'total=+5', 'total=-5']
const waits = ['stall', 'stall=6', '429x2,retry-after=0', '503x3,retry-after=0', 'slow=2000000']
const always = [
  'cut=6',
  'short=6',
  'error-line=6',
  'gap=6',
  'repeat=6',
  'total=+5',
  'stall=6',
  '503',
  'malformed=6,cut=8',
]

describe.concurrent.each(fewOf(ways, ways[0]!, ways[2]!))('%s', (_, source) => {
  test.each(fewOf([...once, ...waits], 'cut=6.5', 'short=6', 'gap=6', 'total=+5', 'stall=6', '503x3,retry-after=0'))(
    'an answer with %s is published whole, each record once',
    async (fault) => {
      const { report, ids, left } = await runWith(source, { fault })
      expect(report?.completeness.status).toBe('proven')
      expect(report?.ledger).toMatchObject({ rejected: 0, repeatedIds: 0, accepted: ids.length })
      expect(new Set(ids)).toEqual(new Set(await idsOf(source)))
      expect(left).toEqual(['_manifest.json', '_profile.json', '_rejects.ndjson', '_report.html', 'ids.csv'])
    },
  )

  test.each(fewOf(always, 'cut=6', 'gap=6', '503', 'malformed=6,cut=8'))(
    'an answer with %s in every attempt ends with exit code 4 and publishes nothing',
    async (fault) => {
      const { error, left } = await runWith({ ...source, retries: 1 }, { fault, times: 50 })
      expect(error).toMatchObject({ exitCode: 4 })
      expect(left).toEqual([])
    },
  )
})

describe('a record that is not JSON', () => {
  test.each(ways.slice(2))(
    'a record that is not JSON repeats the request if the whole answer is not JSON: %s',
    async (_, source) => {
      const { report, ids } = await runWith(source, { fault: 'malformed=6' })
      expect(report?.ledger.rejected).toBe(0)
      expect(new Set(ids)).toEqual(new Set(await idsOf(source)))
    },
  )

  test.each(ways.slice(0, 2))(
    'a record that is not JSON is a reject if it is a line of its own: %s',
    async (_, source) => {
      const kept = await runWith(source, { fault: 'malformed=6' }, { rejects: { limit: 1 } })
      expect(kept.report?.ledger).toMatchObject({ lines: records, accepted: records - 1, rejected: 1 })
      expect(kept.ids).toEqual((await idsOf(source)).toSpliced(6, 1))
      const refused = await runWith(source, { fault: 'malformed=6' }, { rejects: { limit: 0 } })
      expect(refused.error).toMatchObject({ exitCode: 3 })
      expect(refused.left).toEqual(['_rejects.ndjson', '_report.failed.html'])
    },
  )
})

interface Outcome {
  readonly report?: Manifest
  readonly error?: unknown
  readonly ids: readonly string[]
  /** The files that are there afterwards. */
  readonly left: readonly string[]
}

/** Runs a CSV of ids from a sandbox whose next answer, or whose every answer, meets the fault. */
async function runWith(
  source: Source,
  { fault, times = 1 }: { readonly fault?: string; readonly times?: number },
  more: Partial<PipelineConfig> = {},
): Promise<Outcome> {
  const sandbox = await startSandbox({ products: records, rateLimit: false })
  const folder = await RunFolder.create()
  const { baseUrl, keyId, keySecret } = sandbox
  if (fault !== undefined) sandbox.inject({ fault, times })
  const access = {
    baseUrl,
    keyId,
    keySecret,
    requestsPerMinute: 100_000,
    timeouts: { firstByte: '300ms', idle: '300ms' },
  }
  try {
    const report = await runPipeline(
      {
        name: 'faults',
        source: { ...access, ...source },
        tables: { ids: { columns: ['id'] } },
        outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
        ...more,
      },
      { outDir: folder.out, env: forcedWorkers },
    )
    const ids = (await readFile(`${folder.out}/ids.csv`, 'utf8')).split('\n').slice(1, -1)
    return { report, ids, left: await list(folder) }
  } catch (error) {
    return { error, ids: [], left: await list(folder) }
  } finally {
    await Promise.all([sandbox.close(), folder.remove()])
  }
}

const known = new Map<unknown, Promise<readonly string[]>>()

/** The ids that there are. */
function idsOf(source: Source): Promise<readonly string[]> {
  const ids = known.get(source.endpoint) ?? runWith(source, {}).then((outcome) => outcome.ids)
  known.set(source.endpoint, ids)
  return ids
}

async function list(folder: RunFolder): Promise<string[]> {
  const names: string[] = await folder.listOut()
  return names.toSorted()
}
