import type { ExaminationReport, ExaminedInterpretation } from '../../doctor/examination-report.ts'
import type { Colors } from '../terminal.ts'
import { toTextWidth, wrapText } from './wrap-text.ts'
import { formatCount } from '../../text/format-count.ts'

const mostEndpoints = 4

/** Renders the findings within 80 columns, differences first. */
export function renderExamination(report: ExaminationReport, columns: number | undefined, colors: Colors): string {
  const width = toTextWidth(columns)
  const { baseUrl, requests, durationMs, interpretations, endpoints } = report
  const differing = interpretations.filter(({ verdict }) => verdict === 'differs')
  const [harmful, handled] = [false, true].map((is) => differing.filter(({ isHandled }) => isHandled === is))
  const untold = interpretations.filter(({ verdict, isAsked }) => verdict === 'untold' && isAsked)
  const holding = interpretations.filter(({ verdict }) => verdict === 'holds')
  const silent = endpoints.filter(({ silence }) => silence !== null)
  const unasked = interpretations.filter(({ isAsked }) => !isAsked).length
  const sections = [
    section(colors.red('Differs, and needs a change'), harmful ?? [], (each) => renderDiffering(each, width, colors)),
    section(colors.yellow('Differs, and is read all the same'), handled ?? [], (each) =>
      renderDiffering(each, width, colors),
    ),
    section('Could not be told', untold, (each) => renderUntold(each, width)),
    section(colors.green('Holds'), holding, ({ name, title }) => wrapText(`${name}  ${title}`, 2, width, 6)),
    section('Endpoints without a record', silent, ({ name, silence }) => wrapText(`${name}  ${silence}`, 2, width, 6)),
  ]
  return [
    ...wrapText(
      `${baseUrl}: ${formatCount(requests)} requests in ${Math.ceil(durationMs / 1000)} s, no data printed`,
      0,
      width,
      2,
    ),
    ...sections.flat(),
    '',
    ...wrapText(
      `${unasked} more can't be told by reading, or were not asked. docs/service.md explains each by its name; --json has every endpoint with the types of its fields.`,
      0,
      width,
      0,
    ),
  ]
    .map((line) => line.trimEnd())
    .join('\n')
}

function section<Item>(title: string, items: readonly Item[], render: (item: Item) => readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `${title} (${items.length})`, ...items.flatMap(render)]
}

function renderDiffering(
  { name, title, findings, fix }: ExaminedInterpretation,
  width: number,
  colors: Colors,
): string[] {
  const differing = findings.filter(({ verdict }) => verdict === 'differs')
  const shown = differing
    .slice(0, mostEndpoints)
    .flatMap(({ endpoint, detail }) => wrapText(`${endpoint}: ${detail}`, 6, width, 8))
  const rest = differing.length - mostEndpoints
  const [head = '', ...more] = wrapText(`${name}  ${title}`, 2, width, 6)
  return [
    colors.bold(head),
    ...more,
    ...shown,
    ...(rest > 0 ? [`      and ${rest} more`] : []),
    ...(fix === null ? [] : wrapText(`Do: ${fix}`, 6, width, 8)),
  ]
}

function renderUntold({ name, findings }: ExaminedInterpretation, width: number): string[] {
  const reasons = [...new Set(findings.map(({ detail }) => detail))]
  return wrapText(`${name}  ${reasons.slice(0, 3).join('; ')}`, 2, width, 6)
}
