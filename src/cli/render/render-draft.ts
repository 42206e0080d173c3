import type { ConfigDraft } from '../../describe/init/config-draft.ts'
import { listOutputs } from '../../describe/init/draft-for-files.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { row } from './render-report.ts'

export function renderDraft({ contract, source, tables, locales, outputs }: ConfigDraft): string[] {
  const known = source.kind === 'files' ? `, ${source.survey.reason}` : ''
  return [
    row('contract', escapeControls(`${contract}${known}`)),
    row('tables', tables.length === 1 ? (tables[0]?.name ?? '') : `${tables.length}`),
    ...(locales.length === 0 ? [] : [row('locales', locales.join(', '))]),
    row('outputs', listOutputs(outputs)),
  ]
}
