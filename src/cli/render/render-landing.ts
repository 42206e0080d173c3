import type { LandingManifest } from '../../sources/landing-manifest.ts'
import { toLandingManifestPath } from '../../sources/landing-manifest.ts'
import { format, renderCompleteness, renderNotes, row, toMegabytes } from './render-report.ts'
import type { Colors } from '../terminal.ts'

/** What a fetch did, for people. */
export function renderLanding(to: string, landing: LandingManifest, colors: Colors): string {
  const { pipeline, startedAt, finishedAt, lines, bytes, file, completeness, notes } = landing
  const durationMs = Date.parse(finishedAt) - Date.parse(startedAt)
  const speed = durationMs > 0 ? `, ${(bytes / 1e3 / durationMs).toFixed(0)} MB/s` : ''
  return [
    `${colors.green(colors.bold(pipeline))}  landed in ${(durationMs / 1000).toFixed(2)} s (${toMegabytes(bytes)}${speed})`,
    row('lines', format(lines)),
    row('complete', renderCompleteness(completeness, colors)),
    ...renderNotes(notes, colors),
    row('file', `${to} (${toMegabytes(file.bytes)})`),
    row('manifest', toLandingManifestPath(to)),
  ].join('\n')
}
