import type { Terminal } from './terminal.ts'

/**
 * Runs work that also ends, as if it were interrupted, once standard input ends: a parent that holds it open may be killed at any
 * time, and cannot tell. What comes in is not looked at.
 */
export async function untilStdinEnds<Result>(
  { stdin, signal }: Pick<Terminal, 'stdin' | 'signal'>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController()
  const abort = () => ended.abort()
  for (const event of ['end', 'close', 'error']) stdin.once(event, abort)
  stdin.resume()
  try {
    return await work(AbortSignal.any([signal, ended.signal]))
  } finally {
    for (const event of ['end', 'close', 'error']) stdin.off(event, abort)
    // An open pipe would keep the process from ending.
    stdin.destroy()
  }
}
