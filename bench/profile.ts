import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatProfile, summarizeProfile, type CpuProfile } from './results/summarize-profile.ts'

/**
 * Runs a command of Node under its profiler and says which functions took the time, thread by thread:
 * `node --import jiti/register bench/profile.ts [--top 25] [--keep DIR] -- dist/cli.js run …`
 */
async function profile(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { top: { type: 'string', default: '25' }, keep: { type: 'string' } },
    allowPositionals: true,
  })
  const directory = values.keep ?? (await mkdtemp(join(tmpdir(), 'bench-profile-')))
  try {
    await runProfiled(positionals, directory)
    for (const name of (await readdir(directory)).filter((file) => file.endsWith('.cpuprofile')).sort()) {
      const cpuProfile = JSON.parse(await readFile(join(directory, name), 'utf8')) as CpuProfile
      console.log(`${name}\n${formatProfile(summarizeProfile(cpuProfile), Number(values.top))}`)
    }
  } finally {
    if (values.keep === undefined) await rm(directory, { recursive: true })
  }
}

/** Worker threads that end by themselves or are terminated write profiles of their own. */
async function runProfiled(command: readonly string[], directory: string): Promise<void> {
  const args = ['--cpu-prof', `--cpu-prof-dir=${directory}`, ...command]
  const child = spawn(process.execPath, args, { stdio: ['inherit', 'ignore', 'inherit'] })
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  if (exitCode !== 0) throw new Error(`node ${args.join(' ')}: expected exit code 0, got ${exitCode}`)
}

await profile()
