import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { CatalogueError } from '../errors.ts'
import { findEnvProblem } from './find-env-problem.ts'
import { say, type Terminal } from './terminal.ts'

type Environment = Terminal['env']

/**
 * The environment of a command with the variables of its env files, a later file before an earlier one. Says which
 * variables of the environment give way to another value: whoever names a file for an environment means that one, and a
 * variable left over from another would send the credentials of one to the address of the other.
 */
export async function readEnvFiles(paths: readonly string[], terminal: Terminal): Promise<Environment> {
  let env = terminal.env
  for (const path of paths) env = await readEnvFile(path, env)
  const replaced = Object.entries(terminal.env).filter(([name, value]) => value !== env[name])
  if (replaced.length > 0) {
    const names = replaced.map(([name]) => name).join(', ')
    say(terminal, `${paths.join(', ')}: note: overrides ${names} of the environment`)
  }
  return env
}

/**
 * The environment with the variables of a file of `NAME=value` lines, which take the place of those of the same name.
 * Throws USAGE, with no value of the file in it.
 */
export async function readEnvFile(path: string, env: Environment): Promise<Environment> {
  const text = await readText(path)
  const problem = findEnvProblem(text)
  if (problem !== null) throw toError(`${path}:${problem.line}: ${problem.message}`)
  const variables = parseEnv(text)
  if (Object.keys(variables).length === 0) throw toError(`${path}: expected lines of the form NAME=value, got none`)
  return { ...env, ...variables }
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message
    throw toError(`--env ${path}: expected a file of NAME=value lines, got ${reason}`, error)
  }
}

function toError(message: string, cause?: unknown): CatalogueError {
  const fix =
    'Correct the file that --env names: NAME=value on each line, a value with # or spaces at its ends in quotes.'
  return new CatalogueError('USAGE', message, { cause, title: 'The env file could not be read', fix })
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'nothing there',
  EISDIR: 'a folder',
  EACCES: 'one that may not be read (no permission)',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'one that is no UTF-8 text',
}
