import { formatSuggestion } from '../../text/choices.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import type { CreateUsersReport } from '../../users/create-users.ts'
import type { PlannedUser } from '../../users/plan-users.ts'
import type { UserResult } from '../../users/results-file.ts'
import type { RowProblem } from '../../users/check-user-rows.ts'
import { row } from './render-report.ts'
import type { Colors } from '../terminal.ts'
import { padText, widthOf } from '../../text/text-width.ts'
import { countOf, formatCount } from '../../text/format-count.ts'

/** Renders the problems of a file of users, each with line and column. */
export function renderRowProblems(file: string, problems: readonly RowProblem[], colors: Colors): string {
  const lines = problems.map(({ line, column, message, suggestion }) => {
    const place = [`${file === '-' ? '<stdin>' : file}:${line}`, ...(column === null ? [] : [column])].join(': ')
    return `${colors.bold(place)}  ${message}${formatSuggestion(suggestion)}`
  })
  return lines.join('\n')
}

export function renderPlannedUsers(users: readonly PlannedUser[]): string {
  const widest = (least: number, text: (user: PlannedUser) => string) =>
    users.reduce((width, user) => Math.max(width, widthOf(text(user))), least)
  const lineWidth = widest(4, ({ line }) => String(line))
  const keyWidth = widest(0, ({ key }) => escapeControls(key))
  const lines = users.map(({ line, action, key, note = '' }) => {
    return `${String(line).padStart(lineWidth)}  ${action.padEnd(6)}  ${padText(escapeControls(key), keyWidth)}  ${note}`.trimEnd()
  })
  return [`${'line'.padStart(lineWidth)}  action  user`, ...lines].join('\n')
}

export function summarizePlan(users: readonly PlannedUser[]): string {
  const count = (action: PlannedUser['action']): number => users.filter((user) => user.action === action).length
  const toFind = count('find')
  const asked =
    toFind === 0 ? '' : `, ${formatCount(toFind)} sent by an earlier run without an answer, to be checked first`
  return `${formatCount(count('create'))} to create, ${formatCount(count('skip'))} already created${asked}`
}

/** Renders the outcome of the rows, with a line for each failed one. */
export function renderUsersReport(report: CreateUsersReport, colors: Colors): string {
  const { file, baseUrl, rows, created, skipped, failed, unsent, results, users } = report
  const changed = users.filter(({ isChanged }) => isChanged === true)
  return [
    `${colors.bold(file)}  ${countOf(rows, 'row')} for ${baseUrl}`,
    row('created', colors.green(formatCount(created))),
    row('skipped', `${formatCount(skipped)}${skipped > 0 ? ', created by an earlier run' : ''}`),
    ...renderUsers(changed, ({ note }) => colors.yellow(note ?? '')),
    row('failed', failed > 0 ? colors.red(formatCount(failed)) : '0'),
    ...renderUsers(
      users.filter(({ status }) => status === 'failed'),
      ({ error }) => `${error?.code}: ${error?.message}`,
    ),
    ...(unsent > 0 ? [row('not sent', colors.yellow(formatCount(unsent)))] : []),
    row('results', results),
  ].join('\n')
}

function renderUsers(users: readonly UserResult[], toText: (user: UserResult) => string): string[] {
  const shown = users.slice(0, mostShown).map((user) => `    line ${user.line}  ${user.key}  ${toText(user)}`)
  const rest = users.length - shown.length
  return rest === 0 ? shown : [...shown, `    ${formatCount(rest)} more in the results`]
}

const mostShown = 20
