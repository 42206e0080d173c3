import type { ValueType } from '../../records/conditions/config-value.ts'
import type { ColumnPlan } from '../../records/flatten/table-plan.ts'

/** The values of a column as its cells hold them. */
export function toRuleValueType(
  { type, timezone: own }: Pick<ColumnPlan, 'type' | 'timezone'>,
  timezone: string,
): ValueType {
  switch (type.kind) {
    case 'text':
    case 'json':
      return { kind: 'text' }
    case 'timestamp':
      return { kind: 'time', unit: 'milliseconds', timezone }
    case 'date':
      return { kind: 'time', unit: 'days', timezone: own ?? timezone }
    case 'decimal':
      return { kind: 'decimal', scale: type.scale }
    default:
      return { kind: type.kind }
  }
}
