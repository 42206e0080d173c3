import type { SourceIdsSummary } from '../../plan/pipeline-plan.ts'

/** `2,500 identifiers (cnk) in cnk.csv, column cnk: 2,600 rows, 90 repeats, 10 empty, 1,200 repaired; in 3 requests` */
export function formatSourceIds(list: SourceIdsSummary): string {
  const { file, column, field, rows, identifiers, repaired, repeated, empty, bad = 0, requests } = list
  const counts = [
    count(rows, 'row', 'rows'),
    ...(repeated === 0 ? [] : [count(repeated, 'repeat', 'repeats')]),
    ...(empty === 0 ? [] : [`${empty.toLocaleString('en')} empty`]),
    ...(bad === 0 ? [] : [`${bad.toLocaleString('en')} bad`]),
    ...(repaired === 0 ? [] : [`${repaired.toLocaleString('en')} repaired`]),
  ]
  const place = column === null ? file : `${file}, column ${column}`
  const asked = count(identifiers, 'identifier', 'identifiers')
  const shared = requests === 0 ? '' : `; in ${count(requests, 'request', 'requests')}`
  return `${asked} (${field}) from ${place}: ${counts.join(', ')}${shared}`
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
