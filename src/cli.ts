#!/usr/bin/env node

const interrupted = new AbortController()
// The last one is Ctrl-Break of Windows, which sends no SIGTERM.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) {
  process.once(signal, () => interrupted.abort())
}
let isCut = false
for (const [name, stream] of Object.entries({ output: process.stdout, error: process.stderr })) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, such as head, closes the pipe: no failure, and no reason to stop a run.
    if (error.code !== 'EPIPE' && !isCut) reportCut(name, error)
  })
}

// V8 takes what Node keeps of its modules, compiled, only as long as the flags are those of Node: they are loaded first.
for (const name of ['crypto', 'fs/promises', 'os', 'stream/promises', 'timers/promises', 'vm', 'zlib'])
  process.getBuiltinModule(name)
raiseBudgets()
// Loaded once signals are taken.
const { exitCodes, runCli } = await import('./cli/run-cli.ts')
const exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: interrupted.signal,
})
process.exitCode = exitCode === exitCodes.published && isCut ? exitCodes.output : exitCode

/** The disk of what the output goes to may be full. No reason to stop a run either, but the exit code tells. */
function reportCut(name: string, { message }: Error): void {
  isCut = true
  process.exitCode ||= exitCodes.output
  process.stderr.write(`OUTPUT_FAILED An output could not be written\n  standard ${name}: ${message}\n`)
}

/**
 * Most of a run is the kernel; V8 of Node 20 spends more time on optimizing the JavaScript beside it than most runs then
 * save by that. With nine times the usual budget it optimizes only what is used for long. And the space for new objects
 * grows sixteenfold at a time: three collections in place of eight in a small run. Later versions of V8 optimize in steps, and
 * don't have the first flag.
 */
function raiseBudgets(): void {
  if (!process.versions.v8.startsWith('11.')) return
  const { setFlagsFromString } = process.getBuiltinModule('v8')
  setFlagsFromString('--interrupt-budget=600000')
  setFlagsFromString('--semi-space-growth-factor=16')
}
