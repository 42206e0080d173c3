import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { measureProcess } from '../measure-process.ts'
import type { InputSize } from '../input/bench-input.ts'
import type { Side } from './side.ts'

export interface ScriptSideOptions extends InputSize {
  readonly name: string
  /** A script beside this file. */
  readonly script: string
  readonly format: 'parquet' | 'csv'
  /** The arguments of the script. Default: the input and the output. */
  readonly toArgs?: (input: string, output: string) => readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A script that turns the input into one file. */
export function scriptSide({
  name,
  records,
  gzFiles,
  script,
  format,
  toArgs = bothPaths,
  env,
}: ScriptSideOptions): Side {
  const scriptPath = fileURLToPath(new URL(`../${script}`, import.meta.url))
  return {
    name,
    records,
    gzFiles,
    async run(input, directory) {
      const path = `${directory}/products.${format}`
      const { measurement } = await measureProcess([scriptPath, ...toArgs(input.path, path)], env)
      const { size } = await stat(path)
      return { measurement, output: { path, bytes: size, files: [] } }
    },
  }
}

const bothPaths = (input: string, output: string) => [input, output]
