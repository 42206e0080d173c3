import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { version as duckDbVersion } from '@duckdb/node-api'
import { format } from 'prettier'
import { readToolVersion } from '../src/package-file.ts'
import { formatMarkdown } from './results/format-markdown.ts'
import { formatFigures, formatReadme } from './results/format-readme.ts'
import { formatSummary } from './results/format-summary.ts'
import { prepareInput } from './input/prepare-input.ts'
import { runScenario } from './run-scenario.ts'
import { scenarioNames, toScenarios } from './scenarios.ts'
import { summarizeRuns, type ScenarioSummary } from './results/summarize-runs.ts'

/** Measures the built package beside its rivals: README.md. Exits with 1 where a run, a check or a mark fails. */
async function runBench({ quick, runs, only, dist }: BenchOptions): Promise<boolean> {
  const build = { cli: `${dist}/cli.js`, library: `${dist}/bundle/streams.js` }
  const scenarios = toScenarios({ records: quick ? 1_000 : 50_000, judged: !quick }, build)
  const runHelp = await readRunHelp(build.cli)
  const summaries: ScenarioSummary[] = []
  for (const scenario of scenarios.filter(({ name }) => only.length === 0 || only.includes(name))) {
    if (scenario.needs !== undefined && !runHelp.includes(scenario.needs)) {
      console.log(`${scenario.name}: not measured, \`run\` has no ${scenario.needs}\n`)
      continue
    }
    const ran = await runScenario(scenario, {
      runs,
      warmUp: !quick,
      outDir: `${dataDir}/out`,
      inputOf: (size) => prepareInput(size, build.cli, dataDir),
      onRun: (line) => console.error(`${scenario.name}, ${line}`),
    })
    const summary = summarizeRuns(ran)
    console.log(formatSummary(summary))
    summaries.push(summary)
  }
  console.log(formatMarkdown(summaries))
  if (!quick) {
    console.log(`The table of bench/README.md:\n\n${formatFigures(summaries)}`)
    console.log(`The table of the README:\n\n${formatReadme(summaries)}`)
  }
  // Only the results of a whole benchmark are committed.
  const resultsPath = quick || only.length > 0 ? `${dataDir}/results.json` : `${benchDir}/results.json`
  await writeResults(resultsPath, summaries)
  return summaries.every(({ marks }) => marks.every(({ passed }) => passed))
}

interface BenchOptions {
  readonly quick: boolean
  readonly runs: number
  /** Names of scenarios; none is all. */
  readonly only: readonly string[]
  /** The folder of the built package. */
  readonly dist: string
}

const benchDir = fileURLToPath(new URL('.', import.meta.url))
const dataDir = `${benchDir}data`

async function readRunHelp(cli: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'run', '--help'])
  return stdout
}

async function writeResults(path: string, scenarios: readonly ScenarioSummary[]): Promise<void> {
  const [cpu] = cpus()
  const results = {
    date: new Date().toISOString(),
    machine: {
      cpu: cpu?.model ?? 'unknown',
      // Those that this process may use: `taskset` leaves it fewer than the machine has.
      cores: availableParallelism(),
      memoryMb: Math.round(totalmem() / 1e6),
      system: `${platform()} ${arch()}`,
    },
    versions: { tool: readToolVersion().version, node: process.version, duckdb: duckDbVersion(), ...readVersions() },
    scenarios,
  }
  await writeFile(path, await format(JSON.stringify(results), { parser: 'json', printWidth: 120 }))
}

function readVersions(): Record<string, string> {
  const { devDependencies, dependencies } = createRequire(import.meta.url)('../package.json') as PackageJson
  const versions = { ...devDependencies, ...dependencies }
  return Object.fromEntries(rivalPackages.map((name) => [name, versions[name] ?? 'unknown']))
}

interface PackageJson {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const rivalPackages = ['nodejs-polars', 'split2', 'zod', 'csv-stringify', 'hyparquet-writer']

function parseOptions(): BenchOptions {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      runs: { type: 'string' },
      only: { type: 'string' },
      dist: { type: 'string' },
    },
  })
  const { quick, runs = quick ? '1' : '5', only = '', dist = `${benchDir}../dist` } = values
  if (!/^[1-9]\d*$/.test(runs)) throw new Error(`--runs: expected a whole number, 1 or more, got "${runs}"`)
  const names = only.split(',').filter(Boolean)
  const unknown = names.find((name) => !scenarioNames.some((known) => known === name))
  if (unknown !== undefined) throw new Error(`--only: expected names of ${scenarioNames.join(', ')}, got "${unknown}"`)
  return { quick, runs: Number(runs), only: names, dist: resolve(dist) }
}

process.exitCode = (await runBench(parseOptions())) ? 0 : 1
