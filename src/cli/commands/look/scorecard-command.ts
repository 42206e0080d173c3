import { makeScorecard, type Scorecard, toScore } from '../../../inspect/scorecard/scorecard.ts'
import { toScorecardPaths, writeScorecard } from '../../../inspect/scorecard/write-scorecard.ts'
import { countOf } from '../../../text/format-count.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag, option, withDefault } from '../../parameter.ts'
import { renderResult } from '../../render/render-result.ts'
import { configOptions, toCount } from '../../shared-options.ts'
import { colorsFor, columnsOf, log, print, writeJson, type Terminal } from '../../terminal.ts'

export const scorecardCommand = defineCommand({
  description:
    'Shows how complete the products of each brand or organization are: names, descriptions, price, codes, images. Needs DuckDB; only reads.',
  otherNames: ['score', 'completeness', 'quality', 'supplier'],
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: {
    ...configOptions,
    by: withDefault(option('<path>', 'brand, organization, or a path such as productFamily[0].name', String), 'brand'),
    brand: option('<name>', 'only this brand, or whatever --by says: the page and workbook for its supplier'),
    to: option('<folder>', 'write scorecard.html and scorecard.xlsx there; or one file that ends in .html or .xlsx'),
    most: withDefault(option('<n>', 'how many of the worst products', toCount), 50),
    all: flag('count products of every status, not only active ones'),
    json: flag('write the counts as JSON'),
  },
  examples: [
    'catalogue-etl scorecard pipelines/products.yaml --to scorecard',
    "catalogue-etl scorecard pipelines/products.yaml --brand 'Heron & Acorn' --to heron.xlsx",
  ],
  async run({ config, by, brand: only, to, most, all = false, json, ...options }, terminal) {
    const paths = to === undefined ? [] : toScorecardPaths(to)
    const { plan, env } = await loadPlan(config, { ...options, needsService: false, takesExports: true }, terminal)
    const card = await makeScorecard(plan, { by, only, most, all, paths, env, signal: terminal.signal })
    for (const path of paths) await writeScorecard(card, path)
    if (json) writeJson(terminal, card)
    else if (paths.length === 0) print(terminal, renderGroups(card, terminal))
    for (const path of paths) log(terminal, `scorecard in ${path}`)
  },
})

function renderGroups({ groups, cells, by, isActiveOnly }: Scorecard, { stdout, env }: Terminal): string {
  const columns = [toColumn(by, 'text'), toColumn('products', 'integer'), toColumn('complete', 'text')]
  const rows = groups.slice(0, mostGroups).map((group) => ({
    [by]: group.name,
    products: group.products,
    complete: `${(100 * toScore([group], cells)).toFixed(1)} %`,
  }))
  const table = renderResult(columns, rows, columnsOf(stdout) ?? usualWidth, colorsFor(stdout, env))
  const products = groups.reduce((sum, group) => sum + group.products, 0)
  const counted = countOf(products, isActiveOnly ? 'active product' : 'product')
  if (products === 0) return `${counted}: nothing to score`
  const shown = groups.length > mostGroups ? `the largest ${mostGroups} of ` : ''
  const total = `${shown}${countOf(groups.length, 'group')}, ${counted}`
  return `${table}\n${total}, ${(100 * toScore(groups, cells)).toFixed(1)} % complete; --to FOLDER writes page and workbook`
}

const mostGroups = 20
const usualWidth = 100

function toColumn(name: string, kind: 'text' | 'integer') {
  return { name, type: { kind }, list: false }
}
