import { readdir, readFile } from 'node:fs/promises'

interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** Kinds of processes of a run on Spark. */
export type Victim = 'command' | 'python' | 'executor' | 'driver'

/**
 * The processes of a kind that work on a plan: a command, its Python, their executor, or the script that waits for
 * them.
 */
export async function findVictims(kind: Victim, plan: string): Promise<number[]> {
  const processes = await listProcesses()
  const ofPlan = processes.filter(({ command }) => command.includes(plan))
  if (kind === 'driver')
    return ofPlan.filter(({ command }) => command.includes('catalogue_etl.py')).map(({ pid }) => pid)
  const commands = ofPlan.filter(({ command }) => command.includes(' shards run '))
  if (kind === 'command') return commands.map(({ pid }) => pid)
  if (kind === 'python') return commands.map(({ parent }) => parent)
  return commands.flatMap((each) => findAncestor(each, 'CoarseGrainedExecutorBackend', processes))
}

/** Sends SIGKILL to a process, unless it has just ended. */
export function killNow(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

function findAncestor({ parent }: ProcessEntry, words: string, processes: readonly ProcessEntry[]): number[] {
  const found = processes.find(({ pid }) => pid === parent)
  if (found === undefined) return []
  return found.command.includes(words) ? [found.pid] : findAncestor(found, words, processes)
}

async function listProcesses(): Promise<ProcessEntry[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  return (await Promise.all(pids.map(readProcess))).filter((entry) => entry !== null)
}

/** Null if it has just ended. */
async function readProcess(pid: number): Promise<ProcessEntry | null> {
  try {
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    )
    // The name in brackets may have spaces.
    const [, parent = ''] = stat!.slice(stat!.lastIndexOf(')') + 2).split(' ')
    return { pid, parent: Number(parent), command: command!.replaceAll('\0', ' ') }
  } catch {
    return null
  }
}
