import { mkdir, rm, stat } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunReport } from '../src/engine/run-report.ts'
import { measureProcess, type Measurement } from './measure-process.ts'
import type { BenchInput } from './prepare-input.ts'
import type { Rival, Scenario } from './scenarios.ts'

export interface ScenarioRuns {
  readonly scenario: Scenario
  readonly inputBytes: number
  readonly tool: SideRuns
  readonly duckdb: SideRuns | null
  /** What was checked, in words. */
  readonly checks: readonly string[]
  /** Load averages of one minute, before and after: what else the machine did. */
  readonly load: readonly [number, number]
}

/** The runs of one side, in order: run 1 of this tool was followed by run 1 of DuckDB. */
export interface SideRuns {
  readonly outputBytes: number
  readonly runs: readonly Measurement[]
}

export interface BenchPlaces {
  readonly cli: string
  readonly outDir: string
}

/**
 * Runs one scenario: this tool, DuckDB, this tool, DuckDB … The first of each is not measured; it warms the file cache,
 * and its outputs are compared. Throws where a run fails, is not proven complete, or the outputs differ.
 */
export async function runScenario(
  scenario: Scenario,
  input: BenchInput,
  runs: number,
  places: BenchPlaces,
  onRun: (line: string) => void,
): Promise<ScenarioRuns> {
  const { rival } = scenario
  const loadBefore = toLoad()
  const tool: Measurement[] = []
  const duckdb: Measurement[] = []
  const checks = [`${input.records} records accepted, the stream proven complete`]
  let bytes = { tool: 0, duckdb: 0 }
  for (let run = 0; run <= runs; run++) {
    const ours = await runTool(scenario, input, places)
    const theirs = rival === null ? null : await runDuckDb(rival, input, places)
    onRun(formatRun(run, ours.measurement, theirs?.measurement))
    if (run > 0) {
      tool.push(ours.measurement)
      if (theirs !== null) duckdb.push(theirs.measurement)
      continue
    }
    bytes = { tool: ours.outputBytes, duckdb: theirs?.outputBytes ?? 0 }
    if (rival !== null && theirs !== null) checks.push(await rival.compare(ours.dir, theirs.output, input.path))
  }
  return {
    scenario,
    inputBytes: input.bytes,
    tool: { outputBytes: bytes.tool, runs: tool },
    duckdb: rival === null ? null : { outputBytes: bytes.duckdb, runs: duckdb },
    checks,
    load: [loadBefore, toLoad()],
  }
}

async function runTool({ config, settings }: Scenario, input: BenchInput, { cli, outDir }: BenchPlaces) {
  const toolDir = `${outDir}/tool`
  await rm(toolDir, { recursive: true, force: true })
  const configPath = fileURLToPath(new URL(config, import.meta.url))
  const sets = settings.flatMap((setting) => ['--set', setting])
  const args = [cli, 'run', configPath, '--json', '--quiet', '--out', toolDir, ...sets]
  const { measurement, stdout } = await measureProcess(args, { BENCH_INPUT: input.path })
  const report = parseReport(stdout)
  checkReport(report, input.records)
  const outputBytes = report.files.reduce((sum, file) => sum + file.bytes, 0)
  return { measurement, outputBytes, dir: `${toolDir}/${basename(config, '.yaml')}` }
}

function parseReport(stdout: string): RunReport {
  const { runs } = JSON.parse(stdout) as { runs: { report: RunReport }[] }
  if (runs[0] === undefined) throw new Error(`this tool: expected the report of one run, got ${stdout}`)
  return runs[0].report
}

function checkReport({ ledger, completeness }: RunReport, records: number): void {
  if (ledger.accepted === records && completeness.status === 'proven') return
  const got = `${ledger.accepted}, ${completeness.status}`
  throw new Error(`this tool: expected ${records} accepted records of a proven stream, got ${got}`)
}

async function runDuckDb(rival: Rival, input: BenchInput, { outDir }: BenchPlaces) {
  const duckDbDir = `${outDir}/duckdb`
  await rm(duckDbDir, { recursive: true, force: true })
  await mkdir(duckDbDir, { recursive: true })
  const output = `${duckDbDir}/products.${rival.extension}`
  const { measurement } = await measureProcess([runDuckDbPath, rival.toStatement(input.path, output)])
  const { size } = await stat(output)
  return { measurement, outputBytes: size, output }
}

const runDuckDbPath = fileURLToPath(new URL('run-duckdb.mjs', import.meta.url))

function formatRun(run: number, ours: Measurement, theirs: Measurement | undefined): string {
  const label = run === 0 ? 'warm-up' : `run ${run}`
  return `${label}: this tool ${toSeconds(ours)}${theirs === undefined ? '' : `, DuckDB ${toSeconds(theirs)}`}`
}

function toSeconds({ wallMs }: Measurement): string {
  return `${(wallMs / 1000).toFixed(2)} s`
}

function toLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100
}
