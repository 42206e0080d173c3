import type { LocatedProblem } from '../config/config-document.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import { CatalogueError } from '../errors.ts'
import type { LoadedPipeline } from './load-pipelines.ts'
import { renderProblems, toErrorJson, toProblemJson } from './render/render-error.ts'
import { colorsFor, say, tell, type Terminal } from './terminal.ts'

/** CONFIG_INVALID, with the problems for whoever wants them one by one. */
export class InvalidConfigs extends CatalogueError {
  readonly problems: readonly LocatedProblem[]

  constructor(files: readonly string[], problems: readonly LocatedProblem[]) {
    const message = `${files.join(', ')}: expected no problem, got ${problems.length}`
    const isOfList = problems.every(({ path }) => path[0] === 'sourceIds' && path[1] === 'file')
    super('CONFIG_INVALID', message, { outputs: nothingDone, fix: isOfList ? howToMendList : undefined })
    this.problems = problems
  }
}

/**
 * The plans of configs that must have no problem: says all problems of all of them, then throws CONFIG_INVALID. A file
 * that could not be read, with no problem beside, is CONFIG_UNREADABLE.
 */
export function requirePlans(loaded: readonly LoadedPipeline[], terminal: Terminal): PipelinePlan[] {
  const faulty = loaded.filter(({ plan }) => plan === null)
  if (faulty.length === 0) return loaded.flatMap(({ plan }) => plan ?? [])
  const problems = faulty.flatMap((pipeline) => pipeline.problems)
  const [{ unreadable } = {}] = faulty
  if (faulty.length === 1 && unreadable !== undefined) throw unreadable.withOutputs(nothingDone)
  tellProblems(problems, terminal)
  throw new InvalidConfigs(
    faulty.map(({ file }) => file),
    problems,
  )
}

/** A command that failed, for scripts. */
export function toFailureDocument(error: CatalogueError) {
  const problems = error instanceof InvalidConfigs ? error.problems : []
  return { ok: false, error: toErrorJson(error), problems: problems.map(toProblemJson) }
}

/** To people all of them together, to a log of events one by one. */
function tellProblems(problems: readonly LocatedProblem[], terminal: Terminal): void {
  if (terminal.log?.format !== 'json')
    return say(terminal, renderProblems(problems, colorsFor(terminal.stderr, terminal.env)))
  for (const problem of problems) {
    const event = { level: 'error', event: 'config.problem', ...toProblemJson(problem) } as const
    tell(terminal, event, () => problem.message)
  }
}

const howToMendList =
  'Correct the list at the lines named above (in a spreadsheet, format the column as text, then export it again), or its path. `sourceIds.badIdentifiers: report` leaves them out, and reports them.'
const nothingDone = 'Nothing was read, nothing was published.'
