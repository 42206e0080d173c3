import type { vatCountries } from '../../config/schemas/rule-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { ColumnPlan } from '../../records/flatten/table-plan.ts'
import type { RuleConfig } from './plan-column-rules.ts'

/** In percent. The laws are named in docs/rules.md. */
const vatRates: Readonly<Record<(typeof vatCountries)[number], number[]>> = {
  BE: [0, 6, 12, 21],
  DE: [0, 7, 19],
  FR: [2.1, 5.5, 10, 20],
  LU: [3, 8, 14, 17],
  NL: [0, 9, 21],
}

/** One cent to 10,000 euros, of a whole number as it was delivered and of an amount in euros. */
const plausiblePrices = { delivered: { from: 1, until: 1_000_000 }, euros: { from: 0.01, until: 10_000 } } as const

/** The entry with the column that its preset is about, unless it names another. */
export function namePresetColumn(config: RuleConfig): RuleConfig {
  if (config.preset === undefined) return config
  return { ...config, column: config.column ?? (config.preset === 'vat_rates' ? 'vat' : 'publicPrice') }
}

/** The entry as an ordinary rule on its column: what it says itself, and the values of its preset. */
export function expandPreset(config: RuleConfig, { unit, type }: ColumnPlan): RuleConfig {
  const { preset, country = 'BE', in: listed, from, until, to } = config
  if (preset === undefined || preset === 'price_ratio') return config
  if (preset === 'vat_rates') return { ...config, in: listed ?? vatRates[country] }
  const usual = unit === 'delivered' || unit === undefined ? plausiblePrices.delivered : plausiblePrices.euros
  // A price of whole euros has no cents.
  const least = type.kind === 'integer' ? Math.ceil(usual.from) : usual.from
  return { ...config, from: from ?? least, until: until ?? (to === undefined ? usual.until : undefined) }
}

/** Finds what means nothing beside a preset, or without one. */
export function checkPreset({ preset, country, factor, rows }: RuleConfig, path: Problem['path']): Problem[] {
  const problems: Problem[] = []
  if (country !== undefined && preset !== 'vat_rates')
    problems.push(problemAt([...path, 'country'], `country: expected only with preset: vat_rates, got ${country}`))
  if (factor !== undefined && preset !== 'price_ratio')
    problems.push(problemAt([...path, 'factor'], `factor: expected only with preset: price_ratio, got ${factor}`))
  if (preset !== undefined && rows !== undefined)
    problems.push(problemAt([...path, 'rows'], `rows: expected a rule of its own, got it beside preset: ${preset}`))
  return problems
}
