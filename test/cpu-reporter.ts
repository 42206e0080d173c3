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
 * Sums the CPU time by test file into the JSON file that CATALOGUE_CPU_REPORT names, the dearest first, with the files that
 * took more than they may. Seconds are those of a usual machine: on a slower one, every file counts for less. With
 * CATALOGUE_CPU_LIMIT=1 such a file fails the run: `.ci/run` sets it when it measures them again on their own, as other
 * processes may have slowed them down.
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
    const dear = files.filter((each) => each.seconds > tolerance * mostSeconds && dearFiles[each.file] === undefined)
    const report = { seconds, slowness, dear: dear.map(({ file }) => file), files }
    writeFileSync(env['CATALOGUE_CPU_REPORT'] ?? '', `${JSON.stringify(report, null, 2)}\n`)
    console.info(
      `CPU of the test files: ${seconds} s on a usual machine; this one takes ${slowness.toFixed(2)} times as long`,
    )
    for (const each of dear) console.error(describeDear(each))
    const gone = Object.keys(dearFiles).filter((file) => !existsSync(file))
    for (const file of gone) console.error(`test/dear-files.ts: expected files that are there, got ${file}`)
    if (gone.length > 0 || (dear.length > 0 && env['CATALOGUE_CPU_LIMIT'] === '1')) process.exitCode = 1
  }
}

function describeDear({ file, seconds }: MeasuredFile): string {
  return `${file}: expected at most ${mostSeconds} s of CPU time, got ${seconds.toFixed(1)} s. Let it do less in quick depth (test/depth.ts), or say in test/dear-files.ts why it needs them.`
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
