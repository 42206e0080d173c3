import { basename } from 'node:path'

/** The used part of a file that `node --cpu-prof` writes. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  /** The node that was running at each sample. */
  readonly samples: readonly number[]
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[]
}

/** The place of a function, and the time spent in it but not in what it called. */
export interface SelfTime {
  readonly name: string
  readonly selfMs: number
}

/** Self times by function, the longest first; the time that a thread waited for work is left out. */
export function summarizeProfile({ nodes, samples, timeDeltas }: CpuProfile): readonly SelfTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, toName(callFrame)]))
  const selfMs = new Map<string, number>()
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? '?'
    // A sample represents the time until the next one.
    selfMs.set(name, (selfMs.get(name) ?? 0) + Math.max(0, timeDeltas[at + 1] ?? 0) / 1000)
  }
  return [...selfMs]
    .filter(([name]) => name !== '(idle)')
    .map(([name, ms]) => ({ name, selfMs: ms }))
    .sort((left, right) => right.selfMs - left.selfMs)
}

/** The longest `top` as lines of text. */
export function formatProfile(times: readonly SelfTime[], top: number): string {
  const totalMs = times.reduce((sum, { selfMs }) => sum + selfMs, 0)
  const lines = times.slice(0, top).map(({ name, selfMs }) => {
    const share = `${((selfMs / totalMs) * 100).toFixed(1)} %`
    return `${selfMs.toFixed(0).padStart(8)} ms ${share.padStart(7)}  ${name}`
  })
  return [`${totalMs.toFixed(0).padStart(8)} ms busy`, ...lines, ''].join('\n')
}

function toName({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName === '' ? '(generated code)' : functionName
  return `${functionName === '' ? '(anonymous)' : functionName}  ${toPlace(url)}:${lineNumber + 1}`
}

/** The file and its folder: many are called index.js. */
function toPlace(url: string): string {
  const parts = url.split('/')
  return parts.length < 2 ? basename(url) : parts.slice(-2).join('/')
}
