import { readFileSync } from 'node:fs'

/** The name and version of this tool, as requests carry it: `catalogue-etl/1.2.3`. */
export function defaultUserAgent(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { name, version } = JSON.parse(text) as { readonly name: string; readonly version: string }
  return `${name}/${version}`
}
