import { resolveIds } from '../../shards/ids/resolve-ids.ts'
import { readEnvFiles } from '../env-file.ts'
import { log, type Terminal, writeJson } from '../terminal.ts'
import type { PlanOptions } from './plan-options.ts'

/** Finds which lines repeat an id, and logs how many. */
export async function resolve(folder: string, options: PlanOptions, terminal: Terminal): Promise<void> {
  const env = await readEnvFiles(options.env ?? [], terminal)
  const resolution = await resolveIds(folder, { env, signal: terminal.signal })
  const repeatedIds = resolution?.repeatedIds ?? null
  if (options.json) return writeJson(terminal, { ok: true, plan: folder, repeatedIds })
  const text =
    repeatedIds === null
      ? 'the pipeline keeps repeated ids: there is nothing to resolve'
      : `${repeatedIds.toLocaleString('en')} lines repeat an id and are left out`
  log(terminal, text)
}
