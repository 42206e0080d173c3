import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { ContractName } from '../../contracts/contracts.ts'
import { productVersionOf, withVersion } from '../../contracts/given-values.ts'
import { CatalogueError } from '../../errors.ts'
import type { ServiceSourcePlan } from '../../plan/source/source-plan.ts'
import type { FixedLines } from '../../sources/rejects/fixed-lines.ts'
import { openRejectsSource } from '../../sources/rejects/rejects-source.ts'
import { replaceLines } from '../../sources/rejects/replace-lines.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { Source } from '../../sources/source.ts'
import { openSources, type OpenedSources, type SourceContext } from './open-sources.ts'

/**
 * Opens the sources of a plan with corrected lines in place of rejected ones. For the service, whose lines can't be
 * read again, opens the corrected rejects of the last run. Throws ROWS_INVALID for corrected lines of other sources,
 * and errors of `openSources`.
 */
export async function openFixedSources(
  plan: PipelinePlan,
  fixed: FixedLines,
  context: SourceContext & RequiredContext<'env' | 'signal'>,
): Promise<Pick<OpenedSources, 'sources' | 'close'>> {
  if (plan.source.kind === 'service')
    return {
      sources: [await openRejects(plan.records.contract, plan.report.rejects.path, plan.source, fixed, context)],
      close: async () => {},
    }
  const { sources, close } = await openSources(plan, context)
  const once = sources.find(({ canBeReadAgain }) => !canBeReadAgain)
  if (once !== undefined) {
    const message = `${plan.name}: expected files, which still hold the rejected lines, got ${once.name}`
    throw new CatalogueError('USAGE', message, { fix: 'Save the input in a file, and run the pipeline from it.' })
  }
  const names = new Set(sources.map(({ name }) => name))
  fixed.check((source) => names.has(source), `a line of ${describe([...names])}`)
  return { sources: sources.map((source) => replaceLines(source, fixed)), close }
}

async function openRejects(
  contract: ContractName,
  rejects: string,
  { endpoint }: ServiceSourcePlan,
  fixed: FixedLines,
  context: RequiredContext<'env' | 'signal'>,
): Promise<Source> {
  const source = await openRejectsSource(rejects, fixed, context)
  return withVersion(source, productVersionOf(endpoint, contract))
}

function describe(names: readonly string[]): string {
  return names.length === 1 ? `${names[0]}` : `one of ${names.length} sources`
}
