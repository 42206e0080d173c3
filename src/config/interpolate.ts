import { problemAt, type Problem } from './problem.ts'

export interface Interpolated {
  readonly value: unknown
  readonly problems: readonly Problem[]
  /** The texts that name a variable which is not set, and so are still as they are written. */
  readonly unset: readonly Problem['path'][]
  /** The names of these variables, each once for each text. */
  readonly unsetNames: readonly string[]
}

export interface InterpolateOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** An unset variable here stays as it is written: `check` and `plan` need no secrets. */
  readonly mayBeUnset: (path: Problem['path']) => boolean
}

/** Puts environment variables in the place of `${NAME}` and `${NAME:-default}`, in every text; `$${` is a plain `${`. */
export function interpolate(value: unknown, options: InterpolateOptions, path: Problem['path'] = []): Interpolated {
  if (typeof value === 'string') return interpolateText(value, options, path)
  if (typeof value !== 'object' || value === null) return { value, problems: [], unset: [], unsetNames: [] }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => interpolate(item, options, [...path, index]))
    return {
      value: items.map((item) => item.value),
      problems: items.flatMap(({ problems }) => problems),
      unset: items.flatMap(({ unset }) => unset),
      unsetNames: items.flatMap(({ unsetNames }) => unsetNames),
    }
  }
  const members = Object.entries(value).map(
    ([key, member]) => [key, interpolate(member, options, [...path, key])] as const,
  )
  return {
    value: Object.fromEntries(members.map(([key, member]) => [key, member.value])),
    problems: members.flatMap(([, { problems }]) => problems),
    unset: members.flatMap(([, { unset }]) => unset),
    unsetNames: members.flatMap(([, { unsetNames }]) => unsetNames),
  }
}

function interpolateText(text: string, { env, mayBeUnset }: InterpolateOptions, path: Problem['path']): Interpolated {
  const problems: Problem[] = []
  const unsetNames: string[] = []
  const value = text.replaceAll(
    variable,
    (written: string, escaped: string | undefined, name: string, fallback?: string) => {
      if (escaped !== undefined) return written.slice(1)
      const found = env[name]
      if (found !== undefined && (found !== '' || fallback === undefined)) return found
      if (fallback !== undefined) return fallback
      unsetNames.push(name)
      if (!mayBeUnset(path)) {
        problems.push(problemAt(path, `environment variable ${name}: expected a value, got nothing (it is not set)`))
      }
      return written
    },
  )
  return { value, problems, unset: unsetNames.length > 0 ? [path] : [], unsetNames }
}

const variable = /(\$)?\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g
