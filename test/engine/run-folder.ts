import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { runPipeline, type RunOptions } from '../../src/engine/run/run-pipeline.ts'
import { CatalogueError } from '../../src/errors.ts'
import { forcedWorkers } from '../forced-workers.ts'
import type { Manifest } from '../../src/manifest/manifest.ts'

type ConfigChanges = Omit<Partial<PipelineConfig>, 'source'> & { readonly source?: Partial<PipelineConfig['source']> }

/** A temporary folder with inputs and, in `out`, what the runs leave. */
export class RunFolder {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async create(): Promise<RunFolder> {
    return new RunFolder(await mkdtemp(join(tmpdir(), 'run-')))
  }

  get out(): string {
    return join(this.path, 'out')
  }

  /** Writes a file and gives its path. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.path, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    return path
  }

  /** A small pipeline of products, id and status as CSV, from `input.ndjson` or whatever `changes` say. */
  toPipeline({ source, ...config }: ConfigChanges = {}): PipelineConfig {
    return {
      name: 'products',
      tables: { products: { columns: ['id', 'status'] } },
      outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
      ...config,
      source: { files: join(this.path, 'input.ndjson'), contract: 'v4/product', ...source },
    }
  }

  async run(changes: ConfigChanges = {}, options: RunOptions = {}): Promise<Manifest> {
    return runPipeline(this.toPipeline(changes), { outDir: this.out, env: forcedWorkers, ...options })
  }

  /** The same with the default tables of the contract: every field. */
  async runDefaultTables(changes: Omit<ConfigChanges, 'tables'>): Promise<Manifest> {
    const source = { files: join(this.path, 'input.ndjson'), ...changes.source }
    return runPipeline({ name: 'everything', ...changes, source }, { outDir: this.out, env: forcedWorkers })
  }

  /** The error that a run ends with; undefined where it is published. */
  async fail(changes: ConfigChanges = {}, options: RunOptions = {}): Promise<CatalogueError | undefined> {
    try {
      await this.run(changes, options)
      return undefined
    } catch (error) {
      if (error instanceof CatalogueError) return error
      throw error
    }
  }

  async readOut(name: string): Promise<string> {
    return readFile(join(this.out, name), 'utf8')
  }

  /** The names of the files in `out`, hidden ones included; but for the history, which every run leaves. None without a folder. */
  async listOut(): Promise<string[]> {
    const names = await readdir(this.out).catch(() => [])
    return names.filter((name) => name !== '_runs.ndjson').toSorted()
  }

  /** Every file below `out`, hidden ones included, with its content; but for the history and the page of a run that failed. */
  async snapshot(folder = this.out): Promise<Record<string, string>> {
    const files: Record<string, string> = {}
    for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
      const path = join(folder, name)
      if (name.endsWith('.failed.html') || name.endsWith('_runs.ndjson')) continue
      if ((await stat(path)).isFile()) files[name] = (await readFile(path)).toString('base64')
    }
    return files
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}

/** Lines of a stream with these ids, in envelopes. */
export function toStream(ids: readonly string[], total = ids.length): string {
  const lines = ids.map((id, index) => {
    return JSON.stringify({ meta: { total, index }, result: { id, status: 'active' } })
  })
  return lines.map((line) => `${line}\n`).join('')
}
