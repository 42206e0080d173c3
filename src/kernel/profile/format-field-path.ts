import type { Step } from '../../records/flatten/table-plan.ts'

/** The path of a field as configs write it: `brands[].name`. */
export function formatFieldPath(steps: readonly Step[]): string {
  return steps.reduce((path, step) => {
    switch (step.kind) {
      case 'field':
        return path === '' ? step.name : `${path}.${step.name}`
      case 'index':
        return `${path}[${step.index}]`
      case 'all':
      case 'choose':
        return `${path}[]`
      case 'locale':
        return path
    }
  }, '')
}
