import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { startCpuTime } from './cpu-time.ts'

/** The result of `make`, as JSON has it, and where it was thrown, the message. */
type Outcome<Made> = { readonly made: Made } | { readonly failure: string }

/**
 * Makes something in a folder of its own, once for all test files of a run: they run in several processes, and the first
 * one to ask makes it for the others, who wait. The folder is removed at the end of the run.
 */
export async function makeOnce<Made>(name: string, make: (folder: string) => Promise<Made>): Promise<Made> {
  const folder = join(inject('sharedFolder'), name)
  const path = join(folder, 'outcome.json')
  if (await isFirst(folder)) {
    const ms = startCpuTime()
    await writeWhole(path, await outcomeOf<Made>(() => make(folder)))
    madeMs += ms()
  }
  while (!existsSync(path)) await sleep(20)
  const outcome = JSON.parse(await readFile(path, 'utf8')) as Outcome<Made>
  if ('failure' in outcome) throw new Error(`${name}: ${outcome.failure}`)
  return outcome.made
}

let madeMs = 0

/** CPU time that this process has taken for making what is made once. */
export const makingMs = (): number => madeMs

async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function outcomeOf<Made>(make: () => Promise<Made>): Promise<Outcome<Made>> {
  try {
    return { made: await make() }
  } catch (error) {
    return { failure: String(error) }
  }
}

async function writeWhole(path: string, content: unknown): Promise<void> {
  await writeFile(`${path}.partial`, JSON.stringify(content))
  await rename(`${path}.partial`, path)
}
