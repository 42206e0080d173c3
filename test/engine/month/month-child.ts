import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import type { MonthRun } from './month-warehouse.ts'

/** One night's run in a process of its own, for somebody to kill. */
const { config, outDir, now } = JSON.parse(process.argv[2] ?? '') as MonthRun
await runPipeline(config, { outDir, env: {}, workers: 0, now: () => now })
