import { mkdir, rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import type { BenchInput, InputSize } from './input/bench-input.ts'
import type { Scenario } from './scenarios.ts'
import type { Side, SideOutput, SideRuns } from './sides/side.ts'

export interface ScenarioRuns {
  readonly scenario: Scenario
  readonly sides: readonly SideRuns[]
  /** The check, in words. */
  readonly checks: readonly string[]
  /** Load averages of one minute, before and after: what else the machine did. */
  readonly load: readonly [number, number]
}

export interface RunScenarioOptions {
  /** How many runs of each side are measured. */
  readonly runs: number
  /** With a first run of each that is not measured: it fills the file cache. */
  readonly warmUp: boolean
  readonly outDir: string
  readonly inputOf: (size: InputSize) => Promise<BenchInput>
  readonly onRun: (line: string) => void
}

/**
 * Runs the sides of a scenario in turn and compares the outputs of their first runs. Throws where a run fails or outputs
 * differ.
 */
export async function runScenario(scenario: Scenario, options: RunScenarioOptions): Promise<ScenarioRuns> {
  const { runs, warmUp, outDir, inputOf, onRun } = options
  const inputs = await inOrder(scenario.sides, inputOf)
  const loadBefore = toLoad()
  const runOnce = (label: string) =>
    inOrder(scenario.sides, async (side, at) => {
      const ran = await runSide(side, inputs[at] as BenchInput, `${outDir}/${at}`)
      onRun(`${label}, ${side.name}: ${(ran.measurement.wallMs / 1000).toFixed(2)} s`)
      return ran
    })

  const first = await runOnce(warmUp ? 'warm-up' : 'run 1')
  const outputs = first.map(({ output }) => output)
  const checks = await checkOutputs(scenario, outputs, inputs)
  const rounds = warmUp ? [] : [first]
  while (rounds.length < runs) rounds.push(await runOnce(`run ${rounds.length + 1}`))
  await rm(outDir, { recursive: true, force: true })
  return {
    scenario,
    sides: scenario.sides.map((side, at) => ({
      side,
      inputBytes: inputs[at]?.bytes ?? 0,
      outputBytes: outputs[at]?.bytes ?? 0,
      runs: rounds.flatMap((round) => round[at]?.measurement ?? []),
    })),
    checks,
    load: [loadBefore, toLoad()],
  }
}

async function inOrder<Item, Result>(
  items: readonly Item[],
  step: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [at, item] of items.entries()) results.push(await step(item, at))
  return results
}

async function runSide(side: Side, input: BenchInput, directory: string) {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  return side.run(input, directory)
}

async function checkOutputs(
  scenario: Scenario,
  [first, ...others]: readonly SideOutput[],
  [input]: readonly BenchInput[],
): Promise<string[]> {
  const { name, sides, compare } = scenario
  if (compare === undefined || first === undefined || input === undefined) return []
  return inOrder(others, async (other, at) => {
    const pair = `${sides[0]?.name} and ${sides[at + 1]?.name}`
    try {
      return `${pair}: ${await compare(first, other, input)}`
    } catch (error) {
      throw new Error(`${name}, ${pair}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  })
}

function toLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100
}
