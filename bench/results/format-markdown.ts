import type { ScenarioSummary } from './summarize-runs.ts'

/** The figures as the tables of a document: every side of every scenario, and the marks. */
export function formatMarkdown(scenarios: readonly ScenarioSummary[]): string {
  const marks = scenarios.flatMap(({ name, marks: ofScenario }) => ofScenario.map((mark) => ({ name, ...mark })))
  const tables = [formatTable(sideHead, scenarios.flatMap(toSideRows))]
  if (marks.length > 0) {
    tables.push(
      formatTable(
        ['', 'mark', 'measured', 'met'],
        marks.map(({ name, title, got, passed }) => [name, title, got, passed ? 'yes' : '**no**']),
      ),
    )
  }
  return tables.join('\n')
}

const sideHead = ['', '', 'time', 'MB/s', 'records/s', 'cpu time', 'peak memory', 'speed of the first beside it']

function toSideRows({ title, sides }: ScenarioSummary): string[][] {
  return sides.map(({ name, first, ...side }, at) => [
    at === 0 ? title : '',
    name,
    `${side.seconds.toFixed(2)} s`,
    side.mbPerSecond.toFixed(0),
    withCommas(side.recordsPerSecond),
    `${side.cpuSeconds.toFixed(2)} s`,
    `${withCommas(Math.round(side.peakMb))} MB`,
    first === null ? '' : `${first.speed.median.toFixed(2)} ×`,
  ])
}

/** A table with a rule under its head; a `|` in a cell is escaped. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = `|${head.map(() => ' --- |').join('')}`
  return [formatRow(head), rule, ...rows.map(formatRow), ''].join('\n')
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

export function withCommas(value: number): string {
  return value.toLocaleString('en')
}
