import type { StandardSchema } from '../contracts/standard-schema.ts'
import { isObject } from '../records/json/json-values.ts'
import type { OwnModule } from '../records/flatten/table-plan.ts'
import type { OwnKind } from '../records/own-code.ts'
import type { Problem } from './problem.ts'

/** A place of a config that names code in a module. */
export interface UsedCode {
  /** That of the object with the key `use`. */
  readonly path: Problem['path']
  readonly use: string
  readonly kind: OwnKind
}

/** The code that a config names by `use`. */
export function listUses(config: unknown): UsedCode[] {
  if (!isObject(config)) return []
  const { check, outputs } = config
  return [
    ...usedAt(check, 'schema', ['check'], 'schema'),
    ...listColumns(config['tables']).flatMap(({ column, path }) => usedAt(column, 'compute', path, 'function')),
    ...toItems(outputs).flatMap((output, at) => usedAt(output, 'open', ['outputs', at], 'function')),
  ]
}

function usedAt(owner: unknown, key: string, path: Problem['path'], kind: OwnKind): UsedCode[] {
  const value = isObject(owner) ? owner[key] : null
  const use = isObject(value) && Object.keys(value).length === 1 ? value['use'] : null
  return typeof use === 'string' ? [{ path: [...path, key], use, kind }] : []
}

function listColumns(tables: unknown): { readonly column: unknown; readonly path: Problem['path'] }[] {
  return Object.entries(isObject(tables) ? tables : {}).flatMap(([name, table]) => {
    const columns = toItems(isObject(table) ? table['columns'] : null)
    return columns.map((column, at) => ({ column, path: ['tables', name, 'columns', at] }))
  })
}

function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A schema as a function: what walks over a config takes objects apart, and leaves functions as they are. */
export function asFunction({ '~standard': standard }: StandardSchema): StandardSchema {
  return Object.assign(() => undefined, { '~standard': standard })
}

const modules = new WeakMap<object, OwnModule>()

/** Notes where code is from, that no other place of a config has. */
export function ofModule<Own extends object>(own: Own, module: OwnModule): Own {
  modules.set(own, module)
  return own
}

/** Where code is from; undefined for what the config itself has. */
export function moduleOf(own: object): OwnModule | undefined {
  return modules.get(own)
}
