import { isObject } from '../records/json/json-values.ts'
import { endpoints, isEndpointName, type EndpointName } from '../service/endpoints/endpoints.ts'
import { interpolate } from '../config/interpolate.ts'
import { suits } from '../contracts/contracts.ts'
import { versionOf } from '../contracts/given-values.ts'
import { serviceKeys } from './source/plan-source.ts'

/**
 * Replaces the endpoint of a config as written by files, and drops the keys for requests except the list of
 * identifiers. The contract becomes that of the endpoint. In a config over files it replaces those. Paths and globs are
 * literal, without variables. An invalid config stays as it is, to be checked later.
 */
export function toFileSource(
  config: unknown,
  files: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): unknown {
  if (!isObject(config) || !isObject(config['source'])) return config
  const paths = files.map((file) => file.replaceAll('${', () => '$${'))
  const { endpoint: written, ...source } = config['source']
  if (written === undefined) return { ...config, source: { ...source, files: paths } }
  const endpoint = interpolate(written, { env, mayBeUnset: () => true }).value
  const kept = omit(source, serviceKeys)
  // The contract is unknown; the check will suggest a name.
  if (!isKnown(endpoint)) return { ...config, source: { ...omit(kept, ['files']), endpoint } }
  const { contract } = endpoints[endpoint]
  const isOwn = kept['contract'] === 'raw' || (contract === 'raw' && kept['contract'] !== undefined)
  // Files state or show their version, standard input does not.
  if (kept['contract'] === 'product' && suits('product', contract))
    return {
      ...config,
      source: { ...kept, ...(files.includes('-') && { interface: versionOf(endpoint) }), files: paths },
    }
  return { ...config, source: { ...kept, ...(isOwn ? {} : { contract }), files: paths } }
}

function isKnown(name: unknown): name is EndpointName {
  return typeof name === 'string' && isEndpointName(name)
}

function omit(value: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}
