import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measureProcess } from '../measure-process.ts'
import type { InputSize } from '../input/bench-input.ts'
import type { Side } from './side.ts'
import type { Manifest } from '../../src/manifest/manifest.ts'

export interface ToolSideOptions extends InputSize {
  readonly name: string
  /** The built command line. */
  readonly cli: string
  /** A pipeline config beside this file. */
  readonly config: string
  /** The changes that `--set` makes in it. */
  readonly settings?: readonly string[]
  /** Further options of `run`. */
  readonly options?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export const tool = 'this tool'
export const webAssembly = 'WebAssembly'

/** This tool on this machine, and as it is where no native code is shipped. */
export function toolSides(options: Omit<ToolSideOptions, 'name' | 'env'>): readonly Side[] {
  return [
    toolSide({ name: tool, ...options }),
    toolSide({ name: webAssembly, ...options, env: { CATALOGUE_KERNEL: 'wasm' } }),
  ]
}

/** This tool, as its users run it. A run counts only when it accepted every record of a stream proven complete. */
export function toolSide({ name, cli, config, settings = [], options = [], env, ...size }: ToolSideOptions): Side {
  const { records } = size
  const configPath = fileURLToPath(new URL(`../${config}`, import.meta.url))
  const sets = settings.flatMap((setting) => ['--set', setting])
  return {
    name,
    ...size,
    async run(input, directory) {
      const args = [cli, 'run', configPath, '--json', '--quiet', '--out', directory, ...sets, ...options]
      const { measurement, stdout } = await measureProcess(args, { ...env, BENCH_INPUT: input.path })
      const report = parseReport(stdout)
      checkReport(report, records)
      const files = report.files.map(({ path, rows, sha256 }) => ({ name: basename(path), rows, sha256 }))
      const bytes = report.files.reduce((sum, file) => sum + file.bytes, 0)
      return { measurement, output: { path: `${directory}/${basename(config, '.yaml')}`, bytes, files } }
    },
  }
}

function parseReport(stdout: string): Manifest {
  const { runs } = JSON.parse(stdout) as { runs: { report: Manifest }[] }
  if (runs[0] === undefined) throw new Error(`this tool: expected the report of one run, got ${stdout}`)
  return runs[0].report
}

function checkReport({ ledger, completeness }: Manifest, records: number): void {
  if (ledger.accepted === records && completeness.status === 'proven') return
  const got = `${ledger.accepted}, ${completeness.status}`
  throw new Error(`this tool: expected ${records} accepted records of a proven stream, got ${got}`)
}
