import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import { flushFile, renameFile } from '../../storage/file-system.ts'
import { lockPathFor, takeFileLock } from '../../storage/lock/file-lock.ts'
import { failedWith, outputOperation } from '../../storage/output-operation.ts'
import { families, type Sample } from './metrics.ts'

/** Throws USAGE if no file can be written at this path. Called before a run, which must not fail for that. */
export async function checkMetricsPath(path: string): Promise<void> {
  const expected = `--metrics ${path}: expected a file in a folder that exists`
  const folder = await fs.stat(dirname(path)).catch(() => null)
  if (folder?.isDirectory() !== true) throw new CatalogueError('USAGE', `${expected}, got no folder "${dirname(path)}"`)
  const file = await fs.stat(path).catch(() => null)
  if (file?.isDirectory() === true) throw new CatalogueError('USAGE', `${expected}, got a folder`)
}

/**
 * Replaces a file of metrics atomically by its update. Calls for the same file wait for each other. Throws
 * OUTPUT_FAILED.
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
  // Collectors do not read files of this name.
  const partial = `${path}.${run}.partial`
  try {
    const file = await fs.open(partial, 'w')
    try {
      await file.writeFile(formatMetrics(samples))
      await flushFile(file)
    } finally {
      await file.close()
    }
    await renameFile(partial, path)
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

/** Formats OpenMetrics text that the older Prometheus format reads too: gauges only, without timestamps. */
export function formatMetrics(samples: readonly Sample[]): string {
  const lines = families.flatMap(({ name, help, unit }) => {
    const own = samples.filter((sample) => sample.name === name)
    if (own.length === 0) return []
    const head = [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`]
    return [...head, ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]), ...own.map(formatSample)]
  })
  return [...lines, '# EOF', ''].join('\n')
}

/** Parses the output of `formatMetrics`; other lines are skipped. */
export function parseMetrics(text: string): Sample[] {
  const names = new Set(families.map(({ name }) => name))
  return text.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = /^(\w+)\{(.*)\} (\S+)$/s.exec(line) ?? []
    const number = Number(value)
    return names.has(name) && Number.isFinite(number) ? [{ name, labels: parseLabels(labels), value: number }] : []
  })
}

function formatSample({ name, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`)
  return `${name}{${pairs.join(',')}} ${value}`
}

function escape(text: string): string {
  return text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}

function parseLabels(text: string): Record<string, string> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/gs)
  return Object.fromEntries([...pairs].map(([, label = '', value = '']) => [label, unescape(value)]))
}

function unescape(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => (character === 'n' ? '\n' : character))
}
