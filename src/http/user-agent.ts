import { readToolVersion } from '../package-file.ts'

/** The name and version of this tool, as requests carry it: `catalogue-etl/1.2.3`. */
export function defaultUserAgent(): string {
  const { name, version } = readToolVersion()
  return `${name}/${version}`
}
