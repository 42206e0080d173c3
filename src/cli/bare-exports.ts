import { stat } from 'node:fs/promises'
import { parseConfigText } from '../config/config-document.ts'
import { CatalogueError, interrupted, toCatalogueError } from '../errors.ts'
import type { ConfigDraft } from '../describe/init/config-draft.ts'
import { describeDraft, draftForFiles, formatDraft } from '../describe/init/draft-for-files.ts'
import { isExport } from '../describe/init/is-export.ts'
import { quoteForShell } from '../describe/init/quote-for-shell.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { toEntry, type ConfigEntry, type ExportOptions } from './config-entry.ts'
import { renderDraft } from './render/render-draft.ts'
import { row } from './render/render-report.ts'
import { logEvent, type Terminal } from './terminal.ts'

/**
 * Lists the configs that a command line names, in its order. All exports among them together become one more config,
 * which is logged: the one that `init` would write for them. Throws what reading the exports throws.
 */
export async function listConfigs(
  files: readonly string[],
  options: ExportOptions,
  terminal: Terminal,
): Promise<ConfigEntry[]> {
  const exports: string[] = []
  for (const file of files) if (await isExport(file)) exports.push(file)
  const configs = files.filter((file) => !exports.includes(file)).map(toEntry)
  if (exports.length > 0) {
    const before = files.slice(0, files.indexOf(exports[0] ?? '')).length
    return configs.toSpliced(before, 0, await draftEntry(exports, options, terminal))
  }
  if (options.contract !== undefined) {
    const message = `${files.join(', ')}: expected --contract for an export, got it for a config, which has its own`
    throw new CatalogueError('USAGE', message)
  }
  return configs
}

async function draftEntry(files: readonly string[], options: ExportOptions, terminal: Terminal): Promise<ConfigEntry> {
  const { contract, quiet } = options
  const { signal, env } = terminal
  const { draft, file } = await draftForFiles(files, { contract, signal, env }).catch((error: unknown) => {
    throw toInterruption(error, terminal)
  })
  if (quiet !== true) await logDraft(files, draft, file, terminal)
  const shown = `${file} (as init would write it)`
  return { file: shown, read: () => Promise.resolve(parseConfigText(shown, formatDraft(draft, file))) }
}

async function logDraft(files: readonly string[], draft: ConfigDraft, file: string, terminal: Terminal): Promise<void> {
  const names = files.join(', ')
  const init = `\`${toInitCommand(files)}\``
  const toChange = (await isThere(file))
    ? `${file} is there: \`catalogue-etl run ${quoteForShell(file)}\``
    : `${init} writes the config`
  const message = `${names}: no config, used what \`init\` would write: ${describeDraft(draft)}; to change it: ${toChange}`
  const { name: pipeline, contract, locales, outputs } = draft
  const tables = draft.tables.map(({ name }) => name)
  const event = {
    level: 'info',
    event: 'config.drafted',
    message,
    pipeline,
    files,
    contract,
    tables,
    locales,
    outputs,
  } as const
  logEvent(terminal, event, () =>
    [
      `${escapeControls(names)}: no config, used what \`init\` would write`,
      ...renderDraft(draft),
      row('change', escapeControls(toChange)),
    ].join('\n'),
  )
}

/** INTERRUPTED if the command was asked to stop; otherwise the error itself. */
export function toInterruption(error: unknown, { signal }: Pick<Terminal, 'signal'>): CatalogueError {
  if (!signal.aborted) return toCatalogueError(error)
  return interrupted('looking at the files', { cause: error })
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function toInitCommand(files: readonly string[]): string {
  return `catalogue-etl init ${files.map(quoteForShell).join(' ')}`
}
