#!/usr/bin/env node

import { raiseInterruptBudget } from './cli/raise-interrupt-budget.ts'

raiseInterruptBudget()
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => interrupted.abort())
}
// A reader that has seen enough, such as head, closes the pipe: no failure, and no reason to stop a run.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

// Loaded once signals are taken.
const { runCli } = await import('./cli/run-cli.ts')
process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: interrupted.signal,
})
