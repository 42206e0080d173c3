import { endpoints, isEndpointName } from '../service/endpoints/endpoints.ts'
import { type ContractName, isContractName } from '../contracts/contracts.ts'
import { resolveContract } from '../contracts/extended/extend-contract.ts'
import { type ExtraFields, extraTypes } from '../contracts/extended/extra-fields.ts'
import { isLocaleCode, specLocales } from '../plan/locales.ts'
import { isObject } from '../records/json/json-values.ts'
import type { ConfigSubject } from './to-config-schema.ts'

/**
 * Finds the endpoint and contract that a config names, even if it is half written or has mistakes; null if it names no
 * known ones.
 */
export function findConfigSubject(config: unknown): ConfigSubject | null {
  if (!isObject(config) || !isObject(config['source'])) return null
  const { endpoint: named, contract: written } = config['source']
  const endpoint = typeof named === 'string' && isEndpointName(named) ? endpoints[named] : null
  const name: unknown = written ?? endpoint?.contract
  if (typeof name !== 'string' || !isContractName(name)) return null
  const { locales, tables } = config
  return {
    contract: extend(name, config['contract']),
    endpoint,
    locales: Array.isArray(locales) ? locales.filter(isLocale) : specLocales,
    tables: isObject(tables) ? Object.keys(tables) : null,
  }
}

function isLocale(value: unknown): value is string {
  return typeof value === 'string' && isLocaleCode(value)
}

function extend(contract: ContractName, policy: unknown) {
  const written = isObject(policy) && isObject(policy['extra']) ? policy['extra'] : {}
  const types: readonly unknown[] = extraTypes
  const extra = Object.fromEntries(Object.entries(written).filter(([, type]) => types.includes(type)))
  return resolveContract({ contract, extra: extra as ExtraFields })
}
