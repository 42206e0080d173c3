import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isError, messageOf } from '../errors.ts'
import { closest, listChoices } from '../text/choices.ts'
import { importModule } from './import-module.ts'
import { ofModule, type UsedFunction } from './own-code.ts'
import { problemAt, type Problem } from './problem.ts'

interface LoadedFunction {
  readonly path: Problem['path']
  readonly value: unknown
}

/**
 * Loads the functions that a config names by `use: ./steps.ts#name`; paths begin at its folder. A function that can't be
 * loaded is a problem, and has a stand-in, so that the rest of its column is checked too.
 */
export async function loadOwnCode(
  uses: readonly UsedFunction[],
  file: string,
): Promise<{ readonly functions: readonly LoadedFunction[]; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = []
  const functions: LoadedFunction[] = []
  for (const { path, use } of uses) {
    const found = await loadFunction(use, file)
    if (typeof found !== 'function') problems.push(problemAt([...path, 'use'], found.message, found.suggestion))
    functions.push({ path, value: typeof found === 'function' ? found : () => null })
  }
  return { functions, problems }
}

type Fault = Pick<Problem, 'message' | 'suggestion'>

async function loadFunction(use: string, file: string): Promise<((...args: unknown[]) => unknown) | Fault> {
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
  const found = module[name]
  if (typeof found === 'function') return ofModule(found as (...args: unknown[]) => unknown, { use, sha256 })
  const names = Object.keys(module).filter((key) => typeof module[key] === 'function')
  const exported = names.length === 0 ? 'which exports none' : `which exports ${listChoices(names)}`
  const got = found === undefined ? 'nothing of that name' : `a ${typeof found}`
  const suggestion = closest(name, names)
  return {
    message: `use: expected the function "${name}" of "${from}", ${exported}, got ${got}`,
    ...(suggestion !== undefined && { suggestion: `${from}#${suggestion}` }),
  }
}

function describeFault(from: string, error: unknown): string {
  const { code, syscall } = isError(error) ? (error as NodeJS.ErrnoException) : {}
  if (syscall !== undefined && code === 'ENOENT')
    return `expected a module "${from}" beside the config, got nothing there`
  const [said = ''] = messageOf(error).split('Require stack:')
  return `expected a module that loads, got of "${from}": ${said.trim().replaceAll(/\s+/g, ' ')}`
}
