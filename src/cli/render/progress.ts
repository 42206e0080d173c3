import { createProgressEvents } from './progress-events.ts'
import type { ProgressBoard, ProgressView } from './progress-view.ts'
import type { Terminal } from '../terminal.ts'

/** The progress of one run. */
export async function createProgress(terminal: Terminal, quiet: boolean): Promise<ProgressView> {
  return (await createProgressBoard(terminal, quiet)).open()
}

export async function createProgressBoard(terminal: Terminal, quiet: boolean): Promise<ProgressBoard> {
  if (quiet || terminal.log?.format === 'none') return { terminal, open: () => silent }
  if (terminal.log !== undefined) return { terminal, open: (fields = {}) => createProgressEvents(terminal, fields) }
  if (terminal.stderr.isTTY !== true) return { terminal, open: () => silent }
  // Loading them takes time that only people at a terminal pay.
  const { createBars } = await import('./progress-bars.ts')
  return createBars(terminal)
}

const silent: ProgressView = { show: () => undefined, stop: () => undefined }
