import type { PipelinePlan } from '../config/pipeline-plan.ts'
import { CatalogueError } from '../errors.ts'
import type { LoadedPipeline } from './load-pipelines.ts'
import { renderProblems } from './render-error.ts'
import { colorsFor, say, type Terminal } from './terminal.ts'

/** The plans of configs that must have no problem: says all problems of all of them, then throws CONFIG_INVALID. */
export function requirePlans(loaded: readonly LoadedPipeline[], terminal: Terminal): PipelinePlan[] {
  const problems = loaded.flatMap((pipeline) => pipeline.problems)
  if (problems.length > 0) say(terminal, renderProblems(problems, colorsFor(terminal.stderr, terminal.env)))
  return loaded.map(({ file, plan, problems: own }) => {
    if (plan !== null) return plan
    const all = loaded.filter((pipeline) => pipeline.plan === null).map((pipeline) => pipeline.file)
    const message = `${all.join(', ') || file}: expected no problem, got ${problems.length || own.length}`
    throw new CatalogueError('CONFIG_INVALID', message, { outputs: 'Nothing was read, nothing was published.' })
  })
}
