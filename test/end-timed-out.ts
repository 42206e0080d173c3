import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, type RunnerTask } from 'vitest'

/*
 * Ends the process of a test file in which a test timed out: such a test keeps working, and would slow down the files
 * after it, which share the process. These get a new one.
 */
// oxlint-disable-next-line no-empty-pattern -- vitest wants a pattern
afterAll(async ({}, file) => {
  if (!file.tasks.some(hasTimedOut)) return
  process.stderr.write(`${file.name}: a test timed out and may still be working, so its process is ended\n`)
  // Until vitest has sent the results of this file.
  await sleep(500)
  // vitest does not let a test call process.exit.
  process.kill(process.pid, 'SIGKILL')
})

function hasTimedOut(task: RunnerTask): boolean {
  if (task.type === 'suite' && task.tasks.some(hasTimedOut)) return true
  return task.result?.errors?.some(({ message }) => /^(?:Test|Hook) timed out in /.test(message)) ?? false
}
