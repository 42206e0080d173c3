/*
 * Preloaded with --import into every measured process: as it exits, writes to file descriptor 3 what it used. From
 * inside, because Node cannot ask for the usage of one child; it works wherever Node does.
 */
import { readFileSync, writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Worker threads inherit --import; their time and memory are in the figures of the process.
if (isMainThread) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    const usage = { cpuMs: (user + system) / 1000, peakBytes: readPeakKibibytes() * 1024 }
    writeSync(3, JSON.stringify(usage))
  })
}

/** On Linux `maxRSS` begins with what the parent had when it started this process; VmHWM is this process alone. */
function readPeakKibibytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kibibytes)
}
