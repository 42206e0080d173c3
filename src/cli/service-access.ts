import { CatalogueError, type ErrorCode, errorDefinitions } from '../errors.ts'
import type { Terminal } from './terminal.ts'

/** The variables with the service's address and credentials, which the ready pipelines read too. */
export const serviceVariables = {
  baseUrl: 'CATALOGUE_URL',
  keyId: 'CATALOGUE_KEY_ID',
  keySecret: 'CATALOGUE_KEY_SECRET',
} as const

type Access = { readonly [Part in keyof typeof serviceVariables]: string }

/**
 * Reads the requested parts of the service's address and credentials from the environment. Throws USAGE with all that
 * are unset.
 */
export function readServiceAccess<Part extends keyof Access>(
  parts: readonly Part[],
  env: Terminal['env'],
): Pick<Access, Part> {
  const unset = parts.map((part) => serviceVariables[part]).filter((name) => (env[name] ?? '') === '')
  if (unset.length > 0) {
    const names = `environment variable${unset.length === 1 ? '' : 's'} ${unset.join(', ')}`
    const title = 'The address or the credentials of the service are missing'
    const fix =
      'Set the variables named above in the environment, or in a file that --env names, a line each: CATALOGUE_URL=https://api.example.com'
    throw new CatalogueError('USAGE', `${names}: expected a value, got nothing`, { title, fix })
  }
  return Object.fromEntries(parts.map((part) => [part, env[serviceVariables[part]]])) as Pick<Access, Part>
}

/**
 * Replaces the error's advice by one on these variables, as there is no config. `needed` is the permission that the key
 * needs.
 */
export function inTermsOfVariables(error: CatalogueError, needed: string): CatalogueError {
  const fix = fixes[error.code]?.replace('{needed}', needed)
  if (fix === undefined) return error
  const { code, message, cause, outputs, title } = error
  return new CatalogueError(code, message, { cause, outputs, title, fix })
}

const address = `the address (${serviceVariables.baseUrl})`
const fixes: Partial<Record<ErrorCode, string>> = {
  SERVICE_UNREACHABLE: `Check ${address} and the network, then run again.`,
  SERVICE_UNTRUSTED: errorDefinitions.SERVICE_UNTRUSTED.fix.replace('`source.baseUrl`', serviceVariables.baseUrl),
  SERVICE_UNAUTHORIZED: `Check key id and key secret (${serviceVariables.keyId} and ${serviceVariables.keySecret}), that they belong to this environment, and that the subscription allows {needed}. A retry ends in the same way until then.`,
  SERVICE_NOT_FOUND: `Check ${address}, which ends before /v3 or /v4. A retry ends in the same way until then.`,
  SERVICE_REFUSED: 'Correct what the message names, then run again.',
  SERVICE_REDIRECTED: `Set ${address} to the new one, if you trust it: credentials go to no other host.`,
}
