import type { Field } from '../../contracts/fields.ts'
import { closest, formatSuggestion } from '../../text/choices.ts'

/** Fields by path, as configs have them: `name.nl`, `photos[].url`. Each stands for all that is below it. */
export interface FieldSelection {
  /** Left out as well. */
  readonly ignore?: readonly string[] | undefined
  /** Compared, although they are left out by default. */
  readonly include?: readonly string[] | undefined
  /** Nothing else is compared. */
  readonly only?: readonly string[] | undefined
}

/** The fields that a comparison looks at. */
export interface ComparedFields {
  /** Paths that are left out. */
  readonly ignored: readonly string[]
  /** True for a value that is compared. */
  readonly isCompared: (path: string) => boolean
  /** True where the value, or one below it, is compared. */
  readonly reaches: (path: string) => boolean
  /** A sentence for each path of the selection that the contract does not have. */
  readonly doubts: readonly string[]
}

/** The time of the last change: half of all changes of it change nothing else. */
const touchTime = 'meta.updatedAt'

/**
 * Leaves out the volatile fields of the contract, which are signed anew at every request, and `meta.updatedAt` of the record:
 * what incremental runs take for no change of content.
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

/** The same for names of any kind, with those that are left out by default. */
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

/** `photos[]` is the list itself. */
function toBarePath(path: string): string {
  return path.replace(/(?:\[\])+$/, '')
}

/** True where a path is the other one, or below it. */
function covers(above: string, path: string): boolean {
  if (!path.startsWith(above)) return false
  const next = path[above.length]
  return next === undefined || next === '.' || next === '['
}

/** There are few paths, and many values. */
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

/** All paths of a contract; `*` is any locale. */
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

/** The first field with this text in it: `price` may mean `publicPrice`. */
function findPart(text: string, known: readonly string[]): string | undefined {
  const lower = text.toLowerCase()
  return lower.length < 3 ? undefined : known.find((path) => path.toLowerCase().includes(lower))
}

function toPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.[\]]/g, String.raw`\$&`).replaceAll('*', '[^.[]+')
  return new RegExp(`^${escaped}$`)
}
