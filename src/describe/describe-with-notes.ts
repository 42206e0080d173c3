import type { ColumnDescription } from '../plan/records/describe-tables.ts'

export function describeWithNotes({ description, values, deprecated }: ColumnDescription): string {
  const listed = values.length === 0 ? '' : `One of ${values.join(', ')}; others are possible`
  const use = typeof deprecated === 'string' ? `Deprecated: ${deprecated}` : deprecated ? 'Deprecated' : ''
  return [description, listed, use].filter((text) => text !== '').join('. ')
}
