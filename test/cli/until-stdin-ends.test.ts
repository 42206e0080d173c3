import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { untilStdinEnds } from '../../src/cli/until-stdin-ends.ts'

describe('work that ends with standard input', () => {
  const untilAborted = async (signal: AbortSignal) => {
    if (!signal.aborted) await once(signal, 'abort')
    return 'aborted'
  }

  it('is aborted at its end, whatever came before', async () => {
    const stdin = new PassThrough()
    const working = untilStdinEnds({ stdin, signal: new AbortController().signal }, untilAborted)
    stdin.write('anything')
    stdin.end()
    expect(await working).toBe('aborted')
  })

  it('is aborted at once where it has ended before', async () => {
    const stdin = new PassThrough()
    stdin.end()
    expect(await untilStdinEnds({ stdin, signal: new AbortController().signal }, untilAborted)).toBe('aborted')
  })

  it('is aborted as any other by a signal', async () => {
    const interrupted = new AbortController()
    const working = untilStdinEnds({ stdin: new PassThrough(), signal: interrupted.signal }, untilAborted)
    interrupted.abort()
    expect(await working).toBe('aborted')
  })

  it('has its result while standard input is open, which it closes', async () => {
    const stdin = new PassThrough()
    const { signal } = new AbortController()
    expect(await untilStdinEnds({ stdin, signal }, async (both) => both.aborted)).toBe(false)
    expect(stdin.destroyed).toBe(true)
  })
})
