import type { ServiceSourcePlan, SourceIdsSummary } from '../../plan/pipeline-plan.ts'

export interface ShownSource extends Omit<ServiceSourcePlan, 'sourceIds'> {
  readonly sourceIds: SourceIdsSummary | null
}

/** A source as `plan` shows it: of a list from a file only the first codes, and how many more there are. */
export function toShownSource(source: ServiceSourcePlan): ShownSource {
  const { sourceIds, filter } = source
  if (sourceIds === null) return { ...source, sourceIds }
  const { summary } = sourceIds
  return { ...source, filter: withShownList(filter as Filter, summary.field), sourceIds: summary }
}

type Filter = Readonly<Record<string, unknown>>

/** The list stands alone, or as a part of `and`. */
function withShownList(filter: Filter, field: string): Filter {
  if (Object.hasOwn(filter, field)) return { ...filter, [field]: shorten(filter[field] as readonly unknown[]) }
  const parts = filter['and'] as readonly Filter[]
  return { and: parts.map((part) => (Object.hasOwn(part, field) ? withShownList(part, field) : part)) }
}

const most = 5

function shorten(codes: readonly unknown[]): readonly unknown[] {
  if (codes.length <= most) return codes
  const shown = most - 2
  return [...codes.slice(0, shown), `… ${codes.length - shown} more`]
}
