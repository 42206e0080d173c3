import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContractName } from '../../src/contracts/contracts.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'

/** What was generated for other folders, as many tests take the same. */
const generated = new Map<string, Buffer>()

/** A temporary folder with configs, inputs, and the outputs of runs in `out`. */
export class RunFolder {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async create(): Promise<RunFolder> {
    return new RunFolder(await mkdtemp(join(tmpdir(), 'cli-')))
  }

  get out(): string {
    return join(this.path, 'out')
  }

  at(name: string): string {
    return join(this.path, name)
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    await writeFile(this.at(name), content)
    return this.at(name)
  }

  /** Generates `<name>` in this folder. */
  async generate(name: string, contract: ContractName, records: number, seed = 1): Promise<string> {
    const key = `${contract} ${records} ${seed}`
    const lines = generated.get(key) ?? Buffer.concat([...generateLines({ contract, records, seed })])
    generated.set(key, lines)
    return this.write(name, lines)
  }

  /**
   * Writes a config over a file of this folder, with outputs of all three formats in `out` unless `rest` has others.
   */
  async config(name: string, input: string, rest = ''): Promise<string> {
    const source = `source: { files: ${JSON.stringify(this.at(input))}, contract: v4/brand }`
    const outputs = /^outputs:/m.test(rest)
      ? ''
      : `\noutputs: [{ format: parquet }, { format: csv }, { format: ndjson }]\n`
    return this.write(`${name}.yaml`, `name: ${name}\n${source}\n${rest}${outputs}`)
  }

  /** Every file below `out`, hidden ones too, by relative path; but for the history, which every run leaves. */
  async listOutputs(): Promise<string[]> {
    try {
      const entries = await readdir(this.out, { recursive: true, withFileTypes: true })
      const files = entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith('_runs.ndjson'))
        .map((entry) => join(entry.parentPath, entry.name))
      return files.map((file) => file.slice(this.out.length + 1)).toSorted()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  /** The content of every file below `out`, as text that is equal for equal bytes. */
  async readOutputs(): Promise<Record<string, string>> {
    const names = await this.listOutputs()
    const contents = names.map(async (name) => [name, await readFile(join(this.out, name), 'latin1')] as const)
    return Object.fromEntries(await Promise.all(contents))
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}
