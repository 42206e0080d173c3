import type { Field } from '../../contracts/fields.ts'
import { closest, formatSuggestion } from '../../text/choices.ts'

/** Field paths as in configs: `name.nl`, `photos[].url`. Each includes everything below it. */
export interface FieldSelection {
  readonly ignore?: readonly string[] | undefined
  /** Fields to compare that are left out by default. */
  readonly include?: readonly string[] | undefined
  /** The only fields to compare. */
  readonly only?: readonly string[] | undefined
}

export interface ComparedFields {
  readonly ignored: readonly string[]
  readonly isCompared: (path: string) => boolean
  /** Whether the value at a path, or one below it, is compared. */
  readonly reaches: (path: string) => boolean
  /** A warning for each path of the selection that the contract lacks. */
  readonly doubts: readonly string[]
}

/** Half of all changes of this time come without another change. */
const touchTime = 'meta.updatedAt'

/**
 * Selects the fields to compare. By default leaves out volatile fields of the contract, which are signed anew for every
 * request, and `meta.updatedAt`. Incremental runs ignore the same changes.
 */
export function chooseFields(fields: ReadonlyMap<string, Field>, selection: FieldSelection): ComparedFields {
  const paths = listPaths(fields, '')
  const volatile = paths.filter(({ field }) => field.notes.volatile === true).map(({ path }) => path)
  const { ignore = [], include = [], only = [] } = selection
  return {
    ...compileSelection([...volatile, touchTime], selection),
    doubts: [...ignore, ...include, ...only].flatMap((path) =>
      describeUnknown(
        path,
        paths.map((each) => each.path),
      ),
    ),
  }
}

/** Selects among names of any kind; `byDefault` are left out unless selected. */
export function compileSelection(
  byDefault: readonly string[],
  { ignore = [], include = [], only = [] }: FieldSelection,
): Omit<ComparedFields, 'doubts'> {
  const [left, included, chosen] = [ignore, include, only].map((paths) => paths.map(toBarePath)) as [
    string[],
    string[],
    string[],
  ]
  const isWanted = (path: string) =>
    included.some((each) => covers(each, path) || covers(path, each)) || chosen.some((each) => covers(path, each))
  const ignored = [...new Set([...byDefault.filter((path) => !isWanted(path)), ...left])]
  const isCompared = (path: string) =>
    !ignored.some((each) => covers(each, path)) && (chosen.length === 0 || chosen.some((each) => covers(each, path)))
  const reaches = (path: string) =>
    !ignored.some((each) => covers(each, path)) &&
    (chosen.length === 0 || chosen.some((each) => covers(each, path) || covers(path, each)))
  return { ignored, isCompared: memoize(isCompared), reaches: memoize(reaches) }
}

function toBarePath(path: string): string {
  return path.replace(/(?:\[\])+$/, '')
}

/** Whether `path` equals `above` or is below it. */
function covers(above: string, path: string): boolean {
  if (!path.startsWith(above)) return false
  const next = path[above.length]
  return next === undefined || next === '.' || next === '['
}

function memoize(decide: (path: string) => boolean): (path: string) => boolean {
  const decided = new Map<string, boolean>()
  return (path) => {
    const known = decided.get(path)
    if (known !== undefined) return known
    const decision = decide(path)
    decided.set(path, decision)
    return decision
  }
}

interface ContractPath {
  readonly path: string
  readonly field: Field
}

function listPaths(fields: ReadonlyMap<string, Field>, prefix: string): ContractPath[] {
  return [...fields].flatMap(([name, field]) => listBelow(field, prefix + name))
}

function listBelow(field: Field, path: string): ContractPath[] {
  const here = { path, field }
  switch (field.kind) {
    case 'scalar':
      return [here]
    case 'object':
      return [here, ...listPaths(field.fields, `${path}.`)]
    case 'localized':
      return [here, ...listBelow(field.element, `${path}.*`)]
    case 'list':
      return [here, ...listBelow(field.element, `${path}[]`)]
  }
}

function describeUnknown(path: string, known: readonly string[]): string[] {
  if (known.some((each) => toPattern(each).test(toBarePath(path)))) return []
  const suggestion = formatSuggestion(closest(path, known) ?? findPart(path, known))
  return [`"${path}" is no field of the contract${suggestion}`]
}

function findPart(text: string, known: readonly string[]): string | undefined {
  const lower = text.toLowerCase()
  return lower.length < 3 ? undefined : known.find((path) => path.toLowerCase().includes(lower))
}

function toPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.[\]]/g, String.raw`\$&`).replaceAll('*', '[^.[]+')
  return new RegExp(`^${escaped}$`)
}
