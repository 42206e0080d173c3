import { moduleOf } from '../../config/own-code.ts'
import { problemAt, type Problem } from '../../config/problem.ts'
import type { ColumnConfig } from '../../config/schemas/pipeline-schema.ts'
import type { PlannedColumns } from './plan-column.ts'
import { parseColumnType } from './column-type.ts'

type ColumnOptions = Exclude<ColumnConfig, string>

/** The column that a function of the config computes. */
export function planComputed(options: ColumnOptions, path: Problem['path']): PlannedColumns {
  const { column: name, compute, type: written, version, label } = options
  const problems = [...listMissing(options, path), ...listUnfit(options, path)]
  if (typeof compute === 'object') {
    problems.push(problemAt([...path, 'compute'], withoutFile('function')))
  }
  const type = written === undefined ? null : parseColumnType(written)
  if (type !== null && !('kind' in type)) problems.push(problemAt([...path, 'type'], type.message, type.suggestion))
  if (typeof compute !== 'function' || type === null || !('kind' in type)) return { columns: [], problems }
  if (name === undefined || version === undefined) return { columns: [], problems }
  const module = moduleOf(compute)
  const source = { kind: 'own', version, ...(module && { module }), compute } as const
  return { columns: [{ name, type, list: false, from: '', source, ...(label !== undefined && { label }) }], problems }
}

/** Why `use` names nothing in a config that is an object. */
export function withoutFile(what: string): string {
  return `use: expected in the file of a config, whose folder its path begins at, got a config without one: give the ${what} itself`
}

const needed = { column: 'a name', type: 'a column type such as decimal(12,2)', version: 'a text such as "1"' } as const

function listMissing(options: ColumnOptions, path: Problem['path']): Problem[] {
  return (Object.keys(needed) as (keyof typeof needed)[]).flatMap((key) => {
    if (options[key] !== undefined) return []
    return [problemAt([...path, key], `missing key "${key}", expected ${needed[key]} beside compute, got nothing`)]
  })
}

/** Keys that say how a value of a path is taken. */
const ofPaths = ['locale', 'fallback', 'as', 'unit', 'timezone', 'where'] as const

function listUnfit(options: ColumnOptions, path: Problem['path']): Problem[] {
  return ofPaths.flatMap((key): Problem[] => {
    if (options[key] === undefined) return []
    const instead = key === 'as' ? ': write type' : ': the function makes the value'
    return [{ path: [...path, key], atKey: true, message: `${key}: expected no such key beside compute${instead}` }]
  })
}
