import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { CatalogueError } from '../errors.ts'
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
    say(terminal, `${paths.join(', ')}: note: takes the place of what the environment says of ${names}`)
  }
  return env
}

/**
 * The environment with the variables of a file of `NAME=value` lines, which take the place of those of the same name.
 * Throws USAGE, with no value of the file in it.
 */
export async function readEnvFile(path: string, env: Environment): Promise<Environment> {
  const text = await readText(path)
  const variables = parseEnv(text)
  // What is no assignment becomes a part of the next name, which is not shown: it may be a secret without its name.
  const wrong = Object.keys(variables).find((name) => !/^[A-Za-z_]\w*$/.test(name))
  const line = wrong === undefined ? null : text.slice(0, Math.max(0, text.indexOf(wrong))).split('\n').length
  if (line !== null)
    throw new CatalogueError('USAGE', `${path}:${line}: expected NAME=value, got a line that is not shown`)
  if (Object.keys(variables).length === 0)
    throw new CatalogueError('USAGE', `${path}: expected lines of the form NAME=value, got none`)
  return { ...env, ...variables }
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message
    throw new CatalogueError('USAGE', `--env-file ${path}: expected a file of NAME=value lines, got ${reason}`, {
      cause: error,
    })
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'nothing there',
  EISDIR: 'a folder',
  EACCES: 'one that may not be read (no permission)',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'one that is no UTF-8 text',
}
