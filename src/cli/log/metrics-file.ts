import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import { takeFileLock } from '../../publish/lock/file-lock.ts'
import { lockPathFor } from '../../publish/lock/file-lock.ts'
import { failedWith, outputOperation } from '../../publish/output-operation.ts'
import type { Sample } from './metrics.ts'
import { formatMetrics, parseMetrics } from './metrics-text.ts'

/** Throws USAGE where no file can stand at this path. To be asked before a run, which must not end in that. */
export async function checkMetricsPath(path: string): Promise<void> {
  const expected = `--metrics ${path}: expected a file in a folder that exists`
  const folder = await fs.stat(dirname(path)).catch(() => null)
  if (folder?.isDirectory() !== true) throw new CatalogueError('USAGE', `${expected}, got no folder "${dirname(path)}"`)
  const file = await fs.stat(path).catch(() => null)
  if (file?.isDirectory() === true) throw new CatalogueError('USAGE', `${expected}, got a folder`)
}

/**
 * Replaces a file of metrics at once by what becomes of it; readers see the one or the other. Calls that write the same
 * file wait for each other. Throws OUTPUT_FAILED.
 */
export async function updateMetricsFile(
  path: string,
  run: string,
  update: (previous: readonly Sample[]) => readonly Sample[],
): Promise<void> {
  const lock = await takeFileLock(lockPathFor(path), { subject: `--metrics ${path}`, run, waitMs: mostWaitMs })
  try {
    await outputOperation(path, 'written', async () => replace(path, run, update(parseMetrics(await readText(path)))))
  } finally {
    await lock.release()
  }
}

const mostWaitMs = 10_000

async function replace(path: string, run: string, samples: readonly Sample[]): Promise<void> {
  // Not a name that a collector reads.
  const partial = `${path}.${run}.partial`
  try {
    const file = await fs.open(partial, 'w')
    try {
      await file.writeFile(formatMetrics(samples))
      await file.sync()
    } finally {
      await file.close()
    }
    await fs.rename(partial, path)
  } catch (error) {
    await fs.rm(partial, { force: true })
    throw error
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await fs.readFile(path, 'utf8')
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return ''
    throw error
  }
}
