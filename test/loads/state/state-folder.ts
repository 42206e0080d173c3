import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline, type RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import { CatalogueError } from '../../../src/errors.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import type { Manifest, PublishedState } from '../../../src/manifest/manifest.ts'

type ConfigChanges = Omit<Partial<PipelineConfig>, 'source'> & { readonly source?: Partial<PipelineConfig['source']> }

/** A sandbox whose days a test lets pass, and a folder that runs over it leave their outputs in. */
export class StateFolder {
  readonly path: string
  readonly sandbox: Sandbox

  private constructor(path: string, sandbox: Sandbox) {
    this.path = path
    this.sandbox = sandbox
  }

  static async create(): Promise<StateFolder> {
    const path = await mkdtemp(join(tmpdir(), 'state-'))
    return new StateFolder(path, await startSandbox({ products: 60, rateLimit: false }))
  }

  async close(): Promise<void> {
    await this.sandbox.close()
    await rm(this.path, { recursive: true, force: true })
  }

  /** Incremental, products and their photos as NDJSON, unless `changes` say otherwise. */
  config(changes: ConfigChanges = {}): PipelineConfig {
    const { source, ...config } = changes
    const { baseUrl, keyId, keySecret } = this.sandbox
    const service = { endpoint: 'v4/products/stream', baseUrl, keyId, keySecret, requestsPerMinute: 10_000 }
    return {
      name: 'products',
      incremental: {},
      maxRemoved: '100%',
      tables: {
        products: { columns: ['id', 'status', 'meta.updatedAt'] },
        photos: { each: 'photos[]', columns: ['id'] },
      },
      outputs: [{ format: 'ndjson', path: 'out/{table}.ndjson' }],
      ...config,
      source: source?.files === undefined ? { ...service, ...source } : source,
    }
  }

  async run(changes: ConfigChanges = {}, options: RunOptions = {}): Promise<Manifest & { state: PublishedState }> {
    const { now } = this.sandbox
    const report = await runPipeline(this.config(changes), { outDir: this.path, env: {}, workers: 0, now, ...options })
    if (report.state === undefined) throw new Error('expected a state in the report')
    return { ...report, state: report.state }
  }

  /** The error that a run ends with. */
  async fail(changes: ConfigChanges = {}, options: RunOptions = {}): Promise<CatalogueError> {
    try {
      await this.run(changes, options)
    } catch (error) {
      if (error instanceof CatalogueError) return error
      throw error
    }
    throw new Error('expected the run to fail')
  }

  /** The body of the last request for the stream. */
  lastFilter(): unknown {
    const request = this.sandbox.requests.findLast(({ endpoint }) => endpoint === 'v4/products/stream')
    return (request?.body as { filter?: unknown } | undefined)?.filter
  }

  async rows(name = 'products.ndjson'): Promise<Record<string, unknown>[]> {
    const text = await readFile(join(this.path, name), 'utf8')
    const lines = text.split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  /** The rows that the merged products have to have, by the sandbox's own account. */
  expectedRows(statuses?: readonly string[]): { id: string; status: string; meta_updated_at: string | null }[] {
    const rows = [...this.sandbox.productsOn()].map((product) => {
      const { updatedAt = null } = (product['meta'] ?? {}) as { updatedAt?: number | null }
      const moment = updatedAt === null ? null : new Date(updatedAt * 1000).toISOString().replace('.000Z', 'Z')
      return { id: product['id'] as string, status: product['status'] as string, meta_updated_at: moment }
    })
    const asked = rows.filter(({ status }) => statuses === undefined || statuses.includes(status))
    return asked.toSorted((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)))
  }

  async files(): Promise<string[]> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true })
    // Every run adds to the history.
    const files = entries.filter((entry) => entry.isFile() && entry.name !== '_runs.ndjson')
    return files.map((entry) => relative(this.path, join(entry.parentPath, entry.name))).toSorted()
  }

  get manifestPath(): string {
    return join(this.path, '_manifest.json')
  }
}
