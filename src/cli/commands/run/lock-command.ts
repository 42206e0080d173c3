import { breakPipelineLock, readPipelineLock } from '../../../engine/run/pipeline-lock.ts'
import { exitCodes } from '../../../errors.ts'
import { describeLock } from './describe-lock.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag } from '../../parameter.ts'
import { configOptions } from '../../shared-options.ts'
import { print, writeJson } from '../../terminal.ts'

export const lockCommand = defineCommand({
  description: 'Says which run has the lock of a pipeline. The exit code is 6 if one has, otherwise 0.',
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: {
    ...configOptions,
    break: flag('take the lock from its holder, which publishes nothing then: for a run that will not come back'),
    json: flag('write the lock as JSON'),
  },
  examples: ['catalogue-etl lock nightly.yaml', 'catalogue-etl lock nightly.yaml --break'],
  async run({ config, json, break: isToBreak = false, ...options }, terminal) {
    const { plan, env } = await loadPlan(config, { ...options, needsService: false }, terminal)
    const lock = isToBreak ? await breakPipelineLock(plan, env) : await readPipelineLock(plan, env)
    const isHeld = !isToBreak && lock !== null && !lock.isOver
    if (json) writeJson(terminal, { pipeline: plan.name, manifest: plan.report.manifest.path, isHeld, lock })
    else if (isToBreak)
      print(terminal, lock === null ? `${plan.name}: free` : `${plan.name}: taken from ${describeLock(lock)}`)
    else print(terminal, `${plan.name}: ${describeLock(lock)}`)
    return isHeld ? exitCodes.locked : exitCodes.published
  },
})
