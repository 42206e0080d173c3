import { redactCredentials } from '../../config/credentials.ts'
import type { LocatedProblem } from '../../config/config-document.ts'
import { formatSuggestion } from '../../text/choices.ts'
import { formatConfigPath } from '../../plan/plan-pipeline.ts'
import { escapeControls, escapeLayout } from '../../text/escape-controls.ts'
import { isError, type CatalogueError } from '../../errors.ts'
import type { Colors } from '../terminal.ts'
import { fitText, splitAt, widthOf } from '../../text/text-width.ts'

/**
 * Renders code and title, what is wrong and where, what happened to the outputs, and what to try; with the pipeline's
 * name if it is one of several.
 */
export function renderError(error: CatalogueError, colors: Colors, pipeline?: string): string {
  const head = `${colors.red(colors.bold(error.code))} ${error.title}`
  const lines = [
    pipeline === undefined ? head : `${colors.bold(pipeline)}  ${head}`,
    `  ${escapeLayout(error.message, false)}`,
  ]
  if (error.outputs !== undefined) lines.push(`  ${error.outputs}`)
  lines.push(`  ${colors.bold('Try:')} ${error.fix}`)
  if (error.code === 'UNEXPECTED' && isError(error.cause) && error.cause.stack !== undefined)
    lines.push(error.cause.stack)
  return lines.join('\n')
}

export function toErrorJson({ code, title, message, outputs, fix, exitCode }: CatalogueError) {
  return { code, title, message, outputs: outputs ?? null, fix, exitCode }
}

/** Renders each problem of a config with its place, the line of the text and a mark below the place. */
export function renderProblems(problems: readonly LocatedProblem[], colors: Colors, columns?: number): string {
  return problems.map((problem) => renderProblem(problem, colors, columns)).join('\n')
}

export function renderNotes(notes: readonly LocatedProblem[], colors: Colors, columns?: number): string {
  return renderProblems(
    notes.map((note) => ({ ...note, message: `note: ${note.message}` })),
    colors,
    columns,
  )
}

function renderProblem(problem: LocatedProblem, colors: Colors, columns = Number.POSITIVE_INFINITY): string {
  const { file, line, column, excerpt, mark, message, suggestion, path } = problem
  const place = line !== undefined ? `${file}:${line}:${column}` : [file, ...toSteps(path)].join(': ')
  const said = escapeLayout(`${message}${formatSuggestion(suggestion)}`, false)
  const head = `${colors.bold(escapeControls(place))}  ${said}`
  if (excerpt === undefined || mark === undefined) return head
  const margin = `${String(line).padStart(5)} | `
  const [shown, before] = narrow(excerpt, mark, columns - margin.length)
  const marked = `${' '.repeat(margin.length - 2)}| ${' '.repeat(widthOf(before))}${colors.red('^')}`
  return [head, colors.dim(margin + shown), marked].join('\n')
}

/** The part of a line that fits, and its beginning up to the mark. */
function narrow(excerpt: string, mark: number, width: number): [shown: string, before: string] {
  const room = Math.max(narrowestExcerpt, width)
  const start = excerpt.slice(0, mark)
  const [, before] = widthOf(start) < room ? ['', start] : splitAt(start, widthOf(start) - Math.floor(room / 2))
  const shownBefore = before === start ? start : `…${before}`
  return [fitText(shownBefore + excerpt.slice(mark), room), shownBefore]
}

const narrowestExcerpt = 30

/** `tables.products.columns[2]` in a list; empty for the config as a whole. */
function toSteps(path: LocatedProblem['path']): string[] {
  return path.length === 0 ? [] : [redactCredentials(formatConfigPath(path), [])]
}

export function toProblemJson({ file, line, column, path, message, suggestion }: LocatedProblem) {
  return {
    file,
    line: line ?? null,
    column: column ?? null,
    path: redactCredentials(formatConfigPath(path), []),
    message,
    suggestion: suggestion ?? null,
  }
}
