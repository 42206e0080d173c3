import type { ScenarioSummary, SideSummary } from './summarize-runs.ts'

/** A scenario's figures as lines of text. */
export function formatSummary({ name, title, sides, marks, checks, loadBefore, loadAfter }: ScenarioSummary): string {
  const [first] = sides
  const ofRuns = `medians of ${first?.runs.length ?? 0} runs, load ${loadBefore} to ${loadAfter}`
  const lines = [
    `${name}: ${title}`,
    `   ${first?.records ?? 0} products, ${first?.inputMb ?? 0} MB, ${ofRuns}`,
    formatLine('', ['time', 'MB/s', 'records/s', 'cpu', 'peak memory', 'output', 'speed', 'cpu', 'memory']),
    ...sides.map(formatSide),
    ...marks.map(({ title: mark, got, passed }) => `   ${passed ? 'pass' : 'FAIL'}: ${mark}: ${got}`),
    ...checks.map((check) => `   ${check}`),
  ]
  return [...lines, ''].join('\n')
}

/** The last three columns say how the first side compares: how many times as fast it is, its cpu time and memory. */
function formatSide({ name, first, ...side }: SideSummary): string {
  const ratios =
    first === null ? [] : [first.speed, first.cpu, first.memory].map((ratio) => `${toDigits(ratio.median)} ×`)
  return formatLine(name, [
    `${side.seconds.toFixed(2)} s`,
    side.mbPerSecond.toFixed(0),
    String(side.recordsPerSecond),
    `${side.cpuSeconds.toFixed(2)} s`,
    `${side.peakMb.toFixed(0)} MB`,
    `${side.outputMb.toFixed(1)} MB`,
    ...ratios,
  ])
}

function formatLine(name: string, cells: readonly string[]): string {
  return `   ${name.padEnd(18)}${cells.map((cell) => cell.padStart(12)).join('')}`.trimEnd()
}

function toDigits(value: number): string {
  return value.toFixed(2)
}
