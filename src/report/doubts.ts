import type { Doubt } from '../manifest/manifest.ts'
/** Such as `none of 3 records meets where status: Active; did you mean active?` */
export function tellDoubt({ text, near = [], values = [] }: Doubt, examples = true): string {
  if (near.length > 0) return `${text}; did you mean ${near.join(' or ')}?`
  return examples && values.length > 0 ? `${text}; values that occur: ${values.join(', ')}` : text
}
