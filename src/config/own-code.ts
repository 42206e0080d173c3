import { isObject } from '../records/json/json-values.ts'
import type { OwnModule } from '../records/flatten/table-plan.ts'
import type { Problem } from './problem.ts'

/** A place of a config that names a function in a module. */
export interface UsedFunction {
  /** That of the object with the key `use`. */
  readonly path: Problem['path']
  readonly use: string
}

/** The functions that a config names by `use`. */
export function listUses(config: unknown): UsedFunction[] {
  const tables = isObject(config) && isObject(config['tables']) ? config['tables'] : {}
  return Object.entries(tables).flatMap(([name, table]) => {
    const columns: unknown = isObject(table) ? table['columns'] : null
    if (!Array.isArray(columns)) return []
    return columns.flatMap((column: unknown, at): UsedFunction[] => {
      const compute = isObject(column) ? column['compute'] : null
      const use = isObject(compute) && Object.keys(compute).length === 1 ? compute['use'] : null
      return typeof use === 'string' ? [{ path: ['tables', name, 'columns', at, 'compute'], use }] : []
    })
  })
}

const modules = new WeakMap<object, OwnModule>()

/** A function of its own for this place, which knows the module that it is from. */
export function ofModule<Args extends unknown[]>(
  call: (...args: Args) => unknown,
  module: OwnModule,
): (...args: Args) => unknown {
  const own = (...args: Args): unknown => call(...args)
  modules.set(own, module)
  return own
}

/** Where a function is from; undefined for one that the config itself has. */
export function moduleOf(own: object): OwnModule | undefined {
  return modules.get(own)
}
