import { types } from 'node:util'
import type { AnyContract } from '../contracts/contracts.ts'
import { toContractRef } from '../contracts/extended/extend-contract.ts'
import { isSchema } from '../contracts/standard-schema.ts'
import { CatalogueError } from '../errors.ts'
import { isObject } from '../records/json/json-values.ts'
import { showValue } from '../text/show-value.ts'

/** The error of a stage that gets something else than it takes, which types would have found. */
export function misuse(stage: string, expected: string, got: unknown): CatalogueError {
  const shown = typeof got === 'function' ? 'a function' : got instanceof Uint8Array ? 'bytes' : showValue(got)
  return misusedBy(stage, expected, shown)
}

/** Does what `misuse` does, with `got` in words. */
export function misusedBy(stage: string, expected: string, got: string): CatalogueError {
  const title = 'A stage was used in a way that it does not know'
  const fix = 'Correct the call or the order of the stages: docs/library.md says what each of them takes.'
  return new CatalogueError('USAGE', `${stage}: expected ${expected}, got ${got}`, { title, fix })
}

export function requireObject(stage: string, options: unknown): void {
  if (!isObject(options)) throw misuse(stage, 'an object of options', options)
}

export function requireContract(stage: string, contract: unknown): void {
  if (!isObject(contract) || !types.isMap(contract['fields']))
    throw misuse(stage, "a contract such as contracts['v4/product']", contract)
  // The schemas of the package are made when they are first asked for.
  if (toContractRef(contract as unknown as AnyContract) !== null) return
  for (const name of ['name', 'record', 'plural']) {
    if (typeof contract[name] !== 'string') throw misuse(stage, `contract.${name} to be a text`, contract[name])
  }
  if (isSchema(contract['schema'])) return
  throw misuse(
    stage,
    'contract.schema to be a Standard Schema, as those of zod, Valibot and ArkType',
    contract['schema'],
  )
}

export function requireTable(stage: string, options: { readonly contract?: unknown; readonly table?: unknown }): void {
  requireObject(stage, options)
  requireContract(stage, options.contract)
  requireTableName(stage, options)
}

export function requireTableName(stage: string, { table }: { readonly table?: unknown }): void {
  if (typeof table !== 'string') throw misuse(stage, 'table with the name of a table such as "products"', table)
}

export function requireCallbacks(stage: string, callbacks: Readonly<Record<string, unknown>>): void {
  for (const [name, callback] of Object.entries(callbacks)) {
    if (callback !== undefined && typeof callback !== 'function')
      throw misuse(stage, `${name} to be a function`, callback)
  }
}
