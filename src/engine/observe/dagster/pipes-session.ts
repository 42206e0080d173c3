import { appendFile, readFile } from 'node:fs/promises'
import process from 'node:process'
import { inflateSync } from 'node:zlib'
import { z } from 'zod'
import type { RunContext } from '../../../run-context.ts'

/*
 * Dagster Pipes, protocol 0.1: two variables of the environment say where the context of the step is, and where to write
 * messages, which are lines of JSON. A variable is JSON, compressed by zlib, in base64.
 */

const contextPlace = z.union([z.object({ path: z.string() }), z.object({ data: z.unknown() })], {
  error: 'expected a path or data',
})

const stdio = z.enum(['stdout', 'stderr'])
const messagesPlace = z.union(
  [z.object({ path: z.string() }), z.object({ stdio }), z.object({ buffered_stdio: stdio })],
  { error: 'expected a path or stdio' },
)

const stepContext = z.object({
  /** Absent for an op. */
  asset_keys: z.array(z.string()).nullish(),
  extras: z.looseObject({ checks: z.array(z.string()).default([]) }).prefault({}),
})

export type StepContext = z.output<typeof stepContext>

export interface PipesMessage {
  readonly method: 'opened' | 'closed' | 'log' | `report_${'asset_materialization' | 'asset_check' | 'custom_message'}`
  readonly params: object
}

export interface PipesSession {
  readonly context: StepContext
  readonly write: (messages: readonly PipesMessage[]) => Promise<void>
}

/** Reads the context of the step. Throws if the session is of a kind that needs a client of Dagster, such as a bucket. */
export async function openPipesSession(env: NonNullable<RunContext['env']>): Promise<PipesSession> {
  const from = decode('DAGSTER_PIPES_CONTEXT', contextPlace, env)
  const to = decode('DAGSTER_PIPES_MESSAGES', messagesPlace, env)
  const given: unknown = 'path' in from ? JSON.parse(await readFile(from.path, 'utf8')) : from.data
  const context = parse('the context of Dagster', stepContext, given)
  return { context, write: (messages) => append(to, messages.map(toLine).join('')) }
}

/** A value as Dagster shows it. */
export function toMetadata(type: 'text' | 'int' | 'path' | 'json' | 'table' | 'table_schema', raw_value: unknown) {
  return { type, raw_value }
}

export function toText(text: string) {
  return toMetadata('text', text)
}

function toLine(message: PipesMessage): string {
  return `${JSON.stringify({ __dagster_pipes_version: '0.1', ...message })}\n`
}

async function append(to: z.output<typeof messagesPlace>, lines: string): Promise<void> {
  if ('path' in to) return appendFile(to.path, lines)
  const stream = process['stdio' in to ? to.stdio : to.buffered_stdio]
  await new Promise<void>((resolve, reject) => {
    stream.write(lines, (error) => (error ? reject(error) : resolve()))
  })
}

function decode<Place>(name: string, place: z.ZodType<Place>, env: NonNullable<RunContext['env']>): Place {
  return parse(name, place, unpack(name, env[name] ?? ''))
}

function unpack(name: string, value: string): unknown {
  try {
    return JSON.parse(inflateSync(Buffer.from(value, 'base64')).toString())
  } catch (cause) {
    throw new Error(`${name}: expected parameters of Dagster Pipes, got ${value === '' ? 'nothing' : 'other text'}`, {
      cause,
    })
  }
}

function parse<Value>(name: string, schema: z.ZodType<Value>, given: unknown): Value {
  const { data, error } = schema.safeParse(given)
  if (error === undefined) return data
  // Keys alone, as values may be credentials.
  const keys = typeof given === 'object' && given !== null ? Object.keys(given).join(', ') : typeof given
  throw new Error(`${name}: ${error.issues[0]?.message ?? 'unexpected parameters'}, got ${keys}`)
}
