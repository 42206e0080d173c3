import { writeFile } from 'node:fs/promises'
import { arch, cpus, platform, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { version as duckDbVersion } from '@duckdb/node-api'
import { format } from 'prettier'
import { readToolVersion } from '../src/engine/run-report.ts'
import { formatSummary } from './format-summary.ts'
import { prepareInput } from './prepare-input.ts'
import { runScenario } from './run-scenario.ts'
import { toScenarios } from './scenarios.ts'
import { summarizeRuns, type ScenarioSummary } from './summarize-runs.ts'

/** Measures the built command line beside DuckDB: README.md. Exits with 1 where a run, a check or a mark fails. */
async function runBench({ quick, runs, only }: BenchOptions): Promise<boolean> {
  const chosen = (quick ? toScenarios(2_000, 4_000) : toScenarios(50_000, 110_000)).filter(
    ({ number }) => only.length === 0 || only.includes(number),
  )
  const summaries: ScenarioSummary[] = []
  for (const scenario of chosen) {
    const input = await prepareInput(scenario.records, cli, dataDir)
    const ran = await runScenario(scenario, input, runs, { cli, outDir: `${dataDir}/out` }, (line) =>
      console.error(`scenario ${scenario.number}, ${line}`),
    )
    const summary = summarizeRuns(ran)
    console.log(formatSummary(summary))
    summaries.push(summary)
  }
  // What is committed are the results of a whole benchmark.
  const resultsPath = quick || only.length > 0 ? `${dataDir}/results.json` : `${benchDir}/results.json`
  await writeResults(resultsPath, summaries)
  return summaries.every(({ memoryMark }) => memoryMark?.passed !== false)
}

interface BenchOptions {
  readonly quick: boolean
  readonly runs: number
  /** Numbers of scenarios; none is all. */
  readonly only: readonly number[]
}

const benchDir = fileURLToPath(new URL('.', import.meta.url))
const dataDir = `${benchDir}data`
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

async function writeResults(path: string, scenarios: readonly ScenarioSummary[]): Promise<void> {
  const [cpu] = cpus()
  const results = {
    date: new Date().toISOString(),
    machine: {
      cpu: cpu?.model ?? 'unknown',
      cores: cpus().length,
      memoryMb: Math.round(totalmem() / 1e6),
      system: `${platform()} ${arch()}`,
    },
    versions: { tool: readToolVersion().version, node: process.version, duckdb: duckDbVersion() },
    scenarios,
  }
  await writeFile(path, await format(JSON.stringify(results), { parser: 'json', printWidth: 120 }))
}

function parseOptions(): BenchOptions {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, runs: { type: 'string' }, only: { type: 'string' } },
  })
  const { quick, runs = quick ? '2' : '5', only = '' } = values
  if (!/^[1-9]\d*$/.test(runs)) throw new Error(`--runs: expected a whole number, 1 or more, got "${runs}"`)
  if (!/^(?:[1-4](?:,[1-4])*)?$/.test(only)) throw new Error(`--only: expected scenarios such as 1,4, got "${only}"`)
  return { quick, runs: Number(runs), only: only.split(',').filter(Boolean).map(Number) }
}

process.exitCode = (await runBench(parseOptions())) ? 0 : 1
