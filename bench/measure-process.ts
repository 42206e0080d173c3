import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** The time and memory of a whole process, start-up and exit included. */
export interface Measurement {
  readonly wallMs: number
  /** User and system time of all its threads. */
  readonly cpuMs: number
  /** The most resident memory it had at one time. */
  readonly peakBytes: number
}

/** Runs Node with these arguments, measures it and gives its standard output; throws unless it exits with 0. */
export async function measureProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ measurement: Measurement; stdout: string }> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', reportUsage, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const [, stdout, stderr, usage] = child.stdio
  const reading = Promise.all([stdout, stderr, usage].map((stream) => text(stream as Readable)))
  const [exitCode, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  const wallMs = performance.now() - startedAt
  const [output = '', errors = '', used = ''] = await reading
  if (exitCode !== 0)
    throw new Error(`node ${args.join(' ')}: expected exit code 0, got ${exitCode ?? signal}\n${errors}`)
  const { cpuMs, peakBytes } = JSON.parse(used) as Omit<Measurement, 'wallMs'>
  return { measurement: { wallMs, cpuMs, peakBytes }, stdout: output }
}

const reportUsage = new URL('report-usage.mjs', import.meta.url).href
