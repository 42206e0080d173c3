import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isStandardSchema } from '../contracts/standard-schema.ts'
import { isError, messageOf } from '../errors.ts'
import { closest, listChoices } from '../text/choices.ts'
import { importModule } from './import-module.ts'
import type { OwnKind } from '../records/own-code.ts'
import { asFunction, ofModule, type UsedCode } from './own-code.ts'
import { problemAt, type Problem } from './problem.ts'

interface LoadedCode {
  readonly path: Problem['path']
  readonly value: unknown
}

/**
 * Loads the code that a config names by `use: ./steps.ts#name`; paths begin at its folder. What can't be loaded is a
 * problem, and has a stand-in, so that the rest of its column, check or output is checked too.
 */
export async function loadOwnCode(
  uses: readonly UsedCode[],
  file: string,
): Promise<{ readonly loaded: readonly LoadedCode[]; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = []
  const loaded: LoadedCode[] = []
  for (const { path, use, kind } of uses) {
    const found = await loadCode(use, kind, file)
    if ('message' in found) problems.push(problemAt([...path, 'use'], found.message, found.suggestion))
    loaded.push({ path, value: 'message' in found ? standInOf(kind) : found.own })
  }
  return { loaded, problems }
}

/** Code of this kind that does nothing. */
export function standInOf(kind: OwnKind): unknown {
  if (kind === 'function') return () => null
  return asFunction({ '~standard': { version: 1, vendor: '', validate: (value) => ({ value }) } })
}

type Fault = Pick<Problem, 'message' | 'suggestion'>

async function loadCode(use: string, kind: OwnKind, file: string): Promise<{ readonly own: object } | Fault> {
  const { from, name } = /^(?<from>[^#]+)#(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*)$/u.exec(use)?.groups ?? {}
  if (from === undefined || name === undefined) {
    return { message: `use: expected a file and the name of its export, such as ./steps.ts#margin, got "${use}"` }
  }
  const path = resolve(dirname(file), from)
  let sha256: string
  let module: Readonly<Record<string, unknown>>
  try {
    sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
    module = (await importModule(path)) as Readonly<Record<string, unknown>>
  } catch (error) {
    return { message: `use: ${describeFault(from, error)}` }
  }
  const own = toOwn(module[name], kind)
  if (own !== null) return { own: ofModule(own, { use, sha256 }) }
  const names = Object.keys(module).filter((key) => toOwn(module[key], kind) !== null)
  const exported = names.length === 0 ? 'which exports none' : `which exports ${listChoices(names)}`
  const got = module[name] === undefined ? 'nothing of that name' : describeOwn(module[name], kind)
  const suggestion = closest(name, names)
  return {
    message: `use: expected the ${kind} "${name}" of "${from}", ${exported}, got ${got}`,
    ...(suggestion !== undefined && { suggestion: `${from}#${suggestion}` }),
  }
}

function describeOwn(found: unknown, kind: OwnKind): string {
  const what = found === null ? 'null' : typeof found === 'object' ? 'an object' : `a ${typeof found}`
  return kind === 'schema' ? `${what} without "~standard"` : what
}

/** A function or schema of its own for one place; null for what is none. */
function toOwn(found: unknown, kind: OwnKind): object | null {
  if (kind === 'schema') return isStandardSchema(found) ? asFunction(found) : null
  return typeof found === 'function' ? (...args: unknown[]): unknown => Reflect.apply(found, undefined, args) : null
}

function describeFault(from: string, error: unknown): string {
  const { code, syscall } = isError(error) ? (error as NodeJS.ErrnoException) : {}
  if (syscall !== undefined && code === 'ENOENT')
    return `expected a module "${from}" beside the config, got nothing there`
  const [said = ''] = messageOf(error).split('Require stack:')
  return `expected a module that loads, got an error from "${from}": ${said.trim().replaceAll(/\s+/g, ' ')}`
}
