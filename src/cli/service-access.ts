import { CatalogueError } from '../errors.ts'
import type { Terminal } from './terminal.ts'

/** The variables that the ready pipelines read, too. */
const variables = {
  baseUrl: 'CATALOGUE_URL',
  keyId: 'CATALOGUE_KEY_ID',
  keySecret: 'CATALOGUE_KEY_SECRET',
} as const

type Access = { readonly [Part in keyof typeof variables]: string }

/** Where the service is and as whom to ask, from the environment; only these parts. Throws USAGE with all that is not set. */
export function readServiceAccess<Part extends keyof Access>(
  parts: readonly Part[],
  env: Terminal['env'],
): Pick<Access, Part> {
  const unset = parts.map((part) => variables[part]).filter((name) => (env[name] ?? '') === '')
  if (unset.length > 0) {
    const names = `environment variable${unset.length === 1 ? '' : 's'} ${unset.join(', ')}`
    throw new CatalogueError('USAGE', `${names}: expected a value, got nothing (set it, or give --env-file FILE)`)
  }
  return Object.fromEntries(parts.map((part) => [part, env[variables[part]]])) as Pick<Access, Part>
}
