import { formatResults, listBrokenRules } from '../facts/rules.ts'
import { countOf } from '../../text/format-count.ts'
import { html, type Html } from '../html.ts'
import { code, cutTo, table } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'
import type { RuleReport } from '../../manifest/manifest.ts'

export function renderRules({ manifest, examples, limits }: ReportContext): Section | null {
  const { rules = [] } = manifest
  if (rules.length === 0) return null
  const sorted = results.flatMap((wanted) =>
    wanted === 'broken' ? listBrokenRules(rules) : rules.filter(({ result }) => result === wanted),
  )
  const { shown, rest } = cutTo(sorted, limits.entries, 'rule')
  const body = html`<p>${countOf(rules.length, 'rule')}: ${formatResults(rules, results)}.</p>
    <div class="wide" tabindex="0" role="group" aria-label="Rules on the rows">
      ${table(
        'Rules on the rows',
        [{ text: 'Column or table' }, { text: 'Expected' }, { text: 'Found' }, { text: 'Result' }],
        shown.map((rule) => [nameSubject(rule), rule.expected, showFound(rule, examples), showResult(rule)]),
      )}
    </div>
    ${rest}`
  return { id: 'rules', title: 'Rules on the rows', body }
}

const results = ['broken', 'unjudged', 'kept'] as const

function nameSubject({ table: of, column }: RuleReport): Html {
  return code(column === undefined ? of : `${of}.${column}`)
}

function showFound({ found, examples = [] }: RuleReport, showsValues: boolean): Html {
  if (!showsValues || examples.length === 0) return html`${found}`
  return html`${found} <small>such as ${examples.map((value) => JSON.stringify(value)).join(', ')}</small>`
}

function showResult({ result, severity }: RuleReport): Html {
  const word = result === 'broken' ? html`<span class="tag">${result}</span>` : result
  return html`${word}${severity === 'error' && html` <small>(error)</small>`}`
}
