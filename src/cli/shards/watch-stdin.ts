import type { Terminal } from '../terminal.ts'

/** Aborts when standard input ends: a caller that is killed can't stop in another way what it has started. */
export function watchStdin({ stdin, signal }: Pick<Terminal, 'stdin' | 'signal'>): {
  readonly signal: AbortSignal
  readonly stop: () => void
} {
  const ending = new AbortController()
  const end = (): void => ending.abort(new Error('standard input has ended'))
  for (const event of ['end', 'close', 'error']) stdin.once(event, end)
  // Nothing is expected there but the end.
  stdin.resume()
  const stop = (): void => {
    for (const event of ['end', 'close', 'error']) stdin.off(event, end)
    // An open input would keep the process.
    stdin.destroy()
  }
  return { signal: AbortSignal.any([signal, ending.signal]), stop }
}
