import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../src/engine/run/run-pipeline.ts'

/** A run in a process of its own, which ends itself with SIGKILL around the hard link by which it makes a version of a table. */
export interface KilledNight {
  readonly config: PipelineConfig
  readonly outDir: string
  /** What the clock says when it begins. */
  readonly now: number
  /** Counted over all links. */
  readonly link: number
  readonly when: 'before' | 'during' | 'after'
}

const { config, outDir, now, link, when } = JSON.parse(process.argv[2] ?? '') as KilledNight
const begun = Date.now()
const usual = fs.promises.link
let links = 0
fs.promises.link = async (...paths) => {
  const isNow = links++ === link
  if (isNow && when === 'before') process.kill(process.pid, 'SIGKILL')
  if (isNow && when === 'during') setImmediate(() => process.kill(process.pid, 'SIGKILL'))
  await usual(...paths)
  if (isNow && when === 'after') process.kill(process.pid, 'SIGKILL')
}
syncBuiltinESMExports()
await runPipeline(config, { outDir, env: {}, workers: 0, now: () => now + Date.now() - begun })
