import type { ScenarioSummary, SideSummary } from './summarize-runs.ts'

/** A scenario's figures as lines of text. */
export function formatSummary(summary: ScenarioSummary): string {
  const { number, title, records, inputMb, tool, duckdb, speed, cpu, memory, memoryMark, checks } = summary
  const lines = [
    `${number}. ${title}`,
    `   ${records} products, ${inputMb} MB, medians of ${tool.runs.length} runs, load ${summary.loadBefore} to ${summary.loadAfter}`,
    formatLine('', ['time', 'MB/s', 'records/s', 'cpu', 'peak memory', 'output']),
    formatSide('this tool', tool),
  ]
  if (duckdb !== null) lines.push(formatSide('DuckDB', duckdb))
  if (speed !== null) lines.push(`   ${speed.median} × DuckDB's speed (pairs: ${speed.least} to ${speed.most})`)
  if (cpu !== null) lines.push(`   ${cpu.median} × DuckDB's cpu time (pairs: ${cpu.least} to ${cpu.most})`)
  if (memory !== null) lines.push(`   ${memory.median} × DuckDB's memory (pairs: ${memory.least} to ${memory.most})`)
  if (memoryMark !== null) {
    lines.push(`   ${memoryMark.passed ? 'pass' : 'FAIL'}: peak memory ${tool.peakMb} MB, mark ${memoryMark.maxMb} MB`)
  }
  return [...lines, ...checks.map((check) => `   ${check}`), ''].join('\n')
}

function formatSide(name: string, side: SideSummary): string {
  return formatLine(name, [
    `${side.seconds.toFixed(2)} s`,
    side.mbPerSecond.toFixed(0),
    String(side.recordsPerSecond),
    `${side.cpuSeconds.toFixed(2)} s`,
    `${side.peakMb.toFixed(0)} MB`,
    `${side.outputMb.toFixed(1)} MB`,
  ])
}

function formatLine(name: string, cells: readonly string[]): string {
  return `   ${name.padEnd(10)}${cells.map((cell) => cell.padStart(13)).join('')}`
}
