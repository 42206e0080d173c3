import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MediaEntry } from '../../src/media/media-entry.ts'
import type { MediaManifest } from '../../src/media/media-manifest.ts'
import { type CliResult, runInMemory } from '../cli/memory-terminal.ts'

/** A temporary folder with a config, records, and downloads in `images`. */
export class DownloadFolder {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async create(): Promise<DownloadFolder> {
    return new DownloadFolder(await mkdtemp(join(tmpdir(), 'media-')))
  }

  get images(): string {
    return join(this.path, 'images')
  }

  at(name: string): string {
    return join(this.path, name)
  }

  /** Writes records as a complete file and returns it as a source for a config. */
  async records(contract: string, records: readonly object[], name = 'records'): Promise<object> {
    const total = records.length
    const lines = records.map((result, index) => `${JSON.stringify({ meta: { total, index }, result })}\n`)
    await writeFile(this.at(`${name}.ndjson`), lines.join(''))
    return { files: this.at(`${name}.ndjson`), contract }
  }

  async config(config: object, name = 'images'): Promise<string> {
    await writeFile(this.at(`${name}.yaml`), JSON.stringify({ name, ...config }))
    return this.at(`${name}.yaml`)
  }

  async download(config: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<CliResult> {
    return runInMemory(['media', config, '--to', this.images, '--log', 'text', ...args], { env })
  }

  /** Downloads, and expects exit code 0. */
  async succeed(config: string, args: readonly string[] = []): Promise<MediaManifest> {
    const { exitCode, stdout, stderr } = await this.download(config, ['--json', '--quiet', ...args])
    if (exitCode !== 0) throw new Error(`exit code ${exitCode}\n${stderr}`)
    return (JSON.parse(stdout) as { media: MediaManifest }).media
  }

  async entries(name = '_media.ndjson'): Promise<MediaEntry[]> {
    const text = await readFile(join(this.images, name), 'utf8')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as MediaEntry)
  }

  /** Names in `images`, including hidden ones. */
  async names(): Promise<string[]> {
    return (await readdir(this.images)).toSorted()
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}

/**
 * The problems of a folder, found without the code under test: a file that no entry lists, or with other bytes than its
 * entry says, or an entry without its file.
 */
export async function listProblems(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, '_media.ndjson'), 'utf8')
  const manifest = JSON.parse(await readFile(join(folder, '_media.json'), 'utf8')) as MediaManifest
  const problems =
    hash(Buffer.from(text)) === manifest.entries.sha256 ? [] : ['_media.ndjson is not that of _media.json']
  const listed = new Set<string>()
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const { file, sha256, bytes } = JSON.parse(line) as MediaEntry
    if (file === undefined) continue
    listed.add(file)
    const content = await readFile(join(folder, file)).catch(() => null)
    if (content === null) problems.push(`${file} is not there`)
    else if (hash(content) !== sha256 || content.length !== bytes) problems.push(`${file} has other bytes`)
  }
  const own = new Set(['_media.json', '_media.ndjson', '_missing.ndjson', '_rejects.ndjson'])
  const others = (await readdir(folder)).filter((name) => !listed.has(name) && !own.has(name))
  return [...problems, ...others.map((name) => `${name} is in no entry`)]
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
