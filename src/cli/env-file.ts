import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { CatalogueError } from '../errors.ts'
import { log, type Terminal } from './terminal.ts'

type Environment = Terminal['env']

/**
 * Adds the variables of the env files to the environment; later files have precedence. Logs which variables of the
 * environment are replaced: with variables of two environments mixed, the credentials of one would go to the address of
 * the other.
 */
export async function readEnvFiles(paths: readonly string[], terminal: Terminal): Promise<Environment> {
  let env = terminal.env
  for (const path of paths) env = await readEnvFile(path, env)
  const replaced = Object.entries(terminal.env).filter(([name, value]) => value !== env[name])
  if (replaced.length > 0) {
    const names = replaced.map(([name]) => name).join(', ')
    log(terminal, `${paths.join(', ')}: note: overrides ${names} of the environment`)
  }
  return env
}

/**
 * Adds the variables of a file of `NAME=value` lines to the environment, and replaces those of the same name. Throws
 * USAGE without showing any value of the file.
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

/** A mistake in an env file, with its line from 1. The message shows nothing of the file. */
interface EnvProblem {
  readonly line: number
  readonly message: string
}

/**
 * Finds the first line that Node's parser would misread: a line without `NAME=`, which it joins with the next, or an
 * unclosed quote, which it takes for a part of the value. Quoted values may have several lines.
 */
function findEnvProblem(text: string): EnvProblem | null {
  let at = 0
  for (let line = 1; at < text.length;) {
    const end = endOfLine(text, at)
    const [assignment, name, quote] = /^\s*(?:export\s+)?([^=]*)=[^\S\n]*(["'`])?/.exec(text.slice(at, end)) ?? []
    const content = text.slice(at, end).trim()
    const isBlank = content === '' || content.startsWith('#')
    if (!isBlank && (name === undefined || !isName(name))) return { line, message: noAssignment }
    const rest = isBlank || quote === undefined ? end : findRest(text, at + (assignment?.length ?? 0), quote)
    if (rest === null) return { line, message: `expected a closing ${quote} after the value, got none` }
    line += text.slice(at, rest).split('\n').length
    at = endOfLine(text, rest) + 1
  }
  return null
}

const noAssignment = 'expected NAME=value, got a line that is not shown'

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text.trim())
}

/** The position after the closing quote; null if there is none, or it belongs to the next value. */
function findRest(text: string, from: number, quote: string): number | null {
  const rest = text.indexOf(quote, from) + 1
  return rest > 0 && /^\s*(?:#[^]*)?$/.test(text.slice(rest, endOfLine(text, rest))) ? rest : null
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from)
  return found < 0 ? text.length : found
}
