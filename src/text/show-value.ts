import { cutText } from './cut-text.ts'
import { escapeJson } from './escape-controls.ts'

const longest = 60

/** A value as error messages show it: its JSON type, and the value cut to 60 characters. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  switch (typeof value) {
    case 'string':
      return `text ${escapeJson(JSON.stringify(cutText(value, longest)))}`
    case 'number':
    case 'bigint':
      return `number ${value}`
    case 'boolean':
      return `${value}`
    default:
      return 'an object'
  }
}
