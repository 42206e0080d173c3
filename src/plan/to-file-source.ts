import { isObject } from '../records/json/json-values.ts'
import { endpoints, isEndpointName, type EndpointName } from '../service/endpoints/endpoints.ts'
import { interpolate } from '../config/interpolate.ts'
import { suits } from '../contracts/contracts.ts'
import { versionOf } from '../contracts/given-values.ts'
import { serviceKeys } from './source/plan-source.ts'

/**
 * A config as it was written, with these files in the place of its endpoint, and so without whatever it says of
 * requests but its list of identifiers; the contract is that of the endpoint. Of a config over files, others take their place. Paths and globs are
 * taken as they are: variables are not put in. What is no config stays as it is, for its check.
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
  // The check says which name was meant; what it returns nobody knows.
  if (!isKnown(endpoint)) return { ...config, source: { ...omit(kept, ['files']), endpoint } }
  const { contract } = endpoints[endpoint]
  const isOwn = kept['contract'] === 'raw' || (contract === 'raw' && kept['contract'] !== undefined)
  // Files of the other version may come along; standard input can't be asked.
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
