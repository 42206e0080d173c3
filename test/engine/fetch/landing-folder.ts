import { join } from 'node:path'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { fetchPipeline, type FetchOptions } from '../../../src/engine/fetch/fetch-pipeline.ts'
import type { RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import type { Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { RunFolder } from '../run-folder.ts'
import type { LandingManifest, Manifest } from '../../../src/manifest/manifest.ts'

type Source = Partial<PipelineConfig['source']>

interface FetchChanges extends Partial<FetchOptions> {
  /** The rest of the config, beside its source. */
  readonly more?: Partial<PipelineConfig>
}

/** A temporary folder that endpoints of a sandbox are landed in and run from. */
export class LandingFolder {
  readonly #runs: RunFolder
  readonly #sandbox: Sandbox

  private constructor(runs: RunFolder, sandbox: Sandbox) {
    this.#runs = runs
    this.#sandbox = sandbox
  }

  static async create(sandbox: Sandbox): Promise<LandingFolder> {
    return new LandingFolder(await RunFolder.create(), sandbox)
  }

  get path(): string {
    return this.#runs.path
  }

  get out(): string {
    return this.#runs.out
  }

  at(name: string): string {
    return join(this.path, name)
  }

  /** A config over the stream of products, or whatever `source` says. */
  toConfig(source: Source, more: Partial<PipelineConfig> = {}): PipelineConfig {
    const { baseUrl, keyId, keySecret } = this.#sandbox
    const access = { baseUrl, keyId, keySecret, requestsPerMinute: 1000 }
    return { name: 'landed', source: { ...access, endpoint: 'v4/products/stream', ...source }, ...more }
  }

  /** Lands an endpoint in a file of the folder. */
  fetch(name: string, source: Source = {}, { more, ...options }: FetchChanges = {}): Promise<LandingManifest> {
    return fetchPipeline(this.toConfig(source, more), { to: this.at(name), env: {}, ...options })
  }

  /** Runs a small pipeline over files. */
  runFiles(files: string, changes: Parameters<RunFolder['run']>[0] = {}, options?: RunOptions): Promise<Manifest> {
    return this.#runs.run({ ...changes, source: { files, ...changes?.source } }, options)
  }

  /** Every file in the folder, hidden ones included, with its content. */
  snapshot(): Promise<Record<string, string>> {
    return this.#runs.snapshot(this.path)
  }

  /** The same of what runs left. */
  snapshotOut(): Promise<Record<string, string>> {
    return this.#runs.snapshot()
  }

  remove(): Promise<void> {
    return this.#runs.remove()
  }
}
