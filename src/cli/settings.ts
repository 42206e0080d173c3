import { parse } from 'yaml'
import { redactCredentials, isInCredential } from '../config/credentials.ts'
import { formatConfigPath } from '../plan/plan-pipeline.ts'
import { CatalogueError } from '../errors.ts'
import { isObject } from '../records/json/json-values.ts'

/** A value that replaces one of the config: a `--set`, or that of another option, which is named then. */
export interface Setting {
  readonly path: readonly (string | number)[]
  readonly value: unknown
  readonly option?: string
}

/** Parses `outputs[0].compression=snappy`; the value is YAML. Throws USAGE. */
export function parseSetting(text: string): Setting {
  const at = text.indexOf('=')
  const key = text.slice(0, at)
  if (at < 1 || !/^[\w$-]+(?:\[\d+\])*(?:\.[\w$-]+(?:\[\d+\])*)*$/.test(key)) {
    const got = redactCredentials(text, [])
    throw new CatalogueError('USAGE', `--set: expected key=value such as rejects.limit=0, got "${got}"`)
  }
  const path = [...key.matchAll(/\[(\d+)\]|[\w$-]+/g)].map(([step, index]) =>
    index === undefined ? step : Number(index),
  )
  return { path, value: parseValue(text.slice(at + 1), path) }
}

/** Copies the config with the setting applied; missing objects on its path are created. */
export function applySetting(config: unknown, setting: Setting): unknown {
  return replaceAt(config, setting.path, setting)
}

export function formatSetting({ path, option }: Setting): string {
  return option ?? `--set ${formatConfigPath(path)}`
}

function parseValue(text: string, path: Setting['path']): unknown {
  // Standard input and file patterns, which YAML would parse as a list and an alias.
  if (text === '-' || text.startsWith('*')) return text
  try {
    return parse(text, { logLevel: 'error' }) as unknown
  } catch (error) {
    const got = isInCredential(path) ? 'a text that is not shown' : `"${text}"`
    throw new CatalogueError('USAGE', `--set ${formatConfigPath(path)}: expected a YAML value, got ${got}`, {
      cause: error,
    })
  }
}

function replaceAt(config: unknown, [step, ...rest]: Setting['path'], setting: Setting): unknown {
  if (step === undefined) return setting.value
  const index = typeof step === 'number' || Array.isArray(config) ? Number(step) : Number.NaN
  if (Number.isNaN(index)) {
    const members = isObject(config) ? config : {}
    const earlier = Object.hasOwn(members, step) ? members[step] : undefined
    return { ...members, [step]: replaceAt(earlier, rest, setting) }
  }
  const items: unknown[] = Array.isArray(config) ? [...(config as unknown[])] : []
  if (index > items.length) {
    const listed = items.length === 0 ? 'the config lists nothing there' : `the config lists ${items.length} there`
    throw new CatalogueError(
      'USAGE',
      `${formatSetting(setting)}: expected an index up to ${items.length}, as ${listed}, got ${index}`,
    )
  }
  items[index] = replaceAt(items[index], rest, setting)
  return items
}
