import { existsSync, writeFileSync } from 'node:fs'
import { env } from 'node:process'
import type { Reporter, TestModule } from 'vitest/node'
import { dearFiles } from './dear-files.ts'

/** CPU seconds that a test file may take without a reason in `dear-files.ts`. */
const mostSeconds = 3
/** The same file takes up to three times as much where other processes share the cores and their caches. */
const tolerance = 3
/** What the reference work of `file-cpu.ts` takes on the machine that `mostSeconds` is for. */
const usualReferenceMs = 2.5

interface MeasuredFile {
  readonly file: string
  readonly seconds: number
}

/**
 * Sums the CPU time by test file into the JSON file that CATALOGUE_CPU_REPORT names, the dearest first, and fails where one
 * takes more than it may. Seconds are those of a usual machine: on a slower one, every file counts for less.
 */
export default class CpuReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const measured = modules.flatMap((module) => {
      const { cpu } = module.meta()
      return cpu === undefined ? [] : [{ file: module.relativeModuleId, ...cpu }]
    })
    if (measured.length === 0) return
    const slowness = Math.max(1, medianOf(measured.map(({ referenceMs }) => referenceMs)) / usualReferenceMs)
    const files = measured
      .map(({ file, ms }): MeasuredFile => ({ file, seconds: Math.round(ms / slowness) / 1000 }))
      .toSorted((a, b) => b.seconds - a.seconds)
    const seconds = Math.round(files.reduce((sum, file) => sum + file.seconds, 0))
    writeFileSync(env['CATALOGUE_CPU_REPORT'] ?? '', `${JSON.stringify({ seconds, slowness, files }, null, 2)}\n`)
    console.info(
      `CPU of the test files: ${seconds} s on a usual machine; this one takes ${slowness.toFixed(2)} times as long`,
    )
    const wrong = listWrong(files)
    for (const problem of wrong) console.error(problem)
    if (wrong.length > 0) process.exitCode = 1
  }
}

function listWrong(files: readonly MeasuredFile[]): string[] {
  const gone = Object.keys(dearFiles).filter((file) => !existsSync(file))
  const dear = files.filter(({ file, seconds }) => seconds > tolerance * mostSeconds && dearFiles[file] === undefined)
  return [
    ...gone.map((file) => `test/dear-files.ts: expected files that are there, got ${file}`),
    ...dear.map(
      ({ file, seconds }) =>
        `${file}: expected at most ${mostSeconds} s of CPU time, got ${seconds.toFixed(1)} s. Let it do less in quick depth (test/depth.ts), or say in test/dear-files.ts why it needs them.`,
    ),
  ]
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
