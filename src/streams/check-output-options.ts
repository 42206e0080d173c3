import { checkShape } from '../config/check-shape.ts'
import type { OutputConfig } from '../config/output-schema.ts'
import { pipelineShape } from '../config/pipeline-schema.ts'
import { formatSuggestion } from '../messages/choices.ts'
import { formatConfigPath } from '../plan/plan-pipeline.ts'
import { CatalogueError } from '../errors.ts'

/**
 * The options of an output with their defaults, by the rules of the pipeline config. Throws CONFIG_INVALID with every
 * problem.
 */
export function checkOutputOptions<Format extends OutputConfig['format']>(
  stage: string,
  options: { readonly format: Format },
): Extract<OutputConfig, { format: Format }> {
  const { value, problems } = checkShape(pipelineShape.outputs, [options], [])
  const [output] = value ?? []
  if (output !== undefined) return output as Extract<OutputConfig, { format: Format }>
  const lines = problems.map(
    ({ path, message, suggestion }) => `${formatConfigPath(path.slice(1))}: ${message}${formatSuggestion(suggestion)}`,
  )
  throw new CatalogueError('CONFIG_INVALID', `${stage}: ${lines.join('\n')}`)
}
