import type { DatabaseReport } from '../run/run-report.ts'

/** One line for each difference between a table and what the load before left in it, with what became of it. */
export function describeTables({ target, mode, tables, differences = [] }: DatabaseReport): string[] {
  const done = mode === 'append' ? 'rows that are gone do not come back' : howRewritten[mode]
  return [
    ...differences.map(({ table, expected, got }) => {
      return `${target}: table "${table}" had ${got} rows, and the load before left ${expected}: ${done}`
    }),
    ...tables.flatMap(({ name, foreignRows = 0 }) => {
      if (foreignRows === 0) return []
      return `${target}: table "${name}" has ${foreignRows} rows of no record that this pipeline has loaded, which stay`
    }),
  ]
}

const howRewritten = {
  snapshot: 'it holds what this run read',
  merge: 'every record was put in place anew',
  history: 'every record was put in place anew, but versions that had ended do not come back',
}
