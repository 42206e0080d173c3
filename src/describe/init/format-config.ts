import { endpoints } from '../../service/endpoints/endpoints.ts'
import { contracts } from '../../contracts/contracts.ts'
import { versionOf } from '../../contracts/given-values.ts'
import type { ConfigDraft, DraftSource, OutputFormat } from './config-draft.ts'
import { listFormats } from './config-draft.ts'
import { formatColumns, formatCondition } from './example-columns.ts'
import { formatFilters } from './format-filters.ts'
import { listTables, type TableChoice } from './list-tables.ts'
import { quoteForShell } from './quote-for-shell.ts'
import type { ExportSurvey } from './survey-export.ts'
import { formatList, quotePath, quoteYaml } from './yaml-text.ts'
import { formatCount } from '../../text/format-count.ts'

export interface FormatOptions {
  /** The file to write, as commands name it. */
  readonly file: string
  readonly schema: string
}

/** Formats a config as YAML, with comments on what to change first. `run` with a bare export parses this text, too. */
export function formatConfig(draft: ConfigDraft, { file, schema }: FormatOptions): string {
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    ...formatHead(draft, file),
    `name: ${quoteYaml(draft.name)} # also the folder of the outputs`,
    'source:',
    ...(draft.source.kind === 'files' ? formatFiles(draft, draft.source.survey) : formatEndpoint(draft.source)),
    ...formatTreatment(draft),
    ...formatLocales(draft),
    ...formatTables(draft),
    'outputs: # remove the # of those that you need as well',
    ...listFormats(draft.contract).map((format) => formatOutput(format, draft)),
  ]
  return `${lines.join('\n')}\n`
}

function formatHead({ contract, source }: ConfigDraft, file: string): string[] {
  const records = `${describeRecords(contract)} of ${versionOf(contract) ?? 'v3 and v4'}`
  const from = source.kind === 'service' ? `from ${source.endpoint}` : `from ${oneLine(source.survey.files)}`
  const env = source.kind === 'service' ? ' --env .env' : ''
  const command = oneLine([quoteForShell(file)])
  return [
    `# ${contract === 'raw' ? 'Records' : records} ${from}${source.kind === 'files' ? `, ${source.survey.reason}` : ''}.`,
    '# To change first: tables (remove those that you do not need), the columns of the first one, locales, outputs. Then:',
    `#   catalogue-etl check ${command}`,
    `#   catalogue-etl preview ${command}${env}`,
    `#   catalogue-etl run ${command}${env}`,
  ]
}

function describeRecords(contract: ConfigDraft['contract']): string {
  const words = contracts[contract].plural.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Joins file names for a comment, which may not contain line breaks. */
function oneLine(files: readonly string[]): string {
  return files.join(' ').replaceAll(/\p{Cc}/gu, '?')
}

function formatFiles({ contract }: ConfigDraft, { files, hasSeveral, areParts }: ExportSurvey): string[] {
  const [only = ''] = files
  const value = files.length === 1 ? quotePath(only) : `[${files.map(quotePath).join(', ')}]`
  const parts =
    hasSeveral && !areParts ? ['  # parts: true # the files together are one stream, each a part of it'] : []
  return [
    `  files: ${value}${files.length === 1 ? ' # or a list, or a glob such as data/*.ndjson.gz' : ''}`,
    ...(areParts ? ['  parts: true # the files form one stream: each continues another'] : parts),
    `  contract: ${contract}`,
    ...(contract === 'product' ? ['  # interface: v4 # found in each file; needed if a file leaves it open'] : []),
  ]
}

function formatEndpoint({ endpoint: name }: DraftSource & { readonly kind: 'service' }): string[] {
  const endpoint = endpoints[name]
  return [
    `  endpoint: ${name}`,
    '  baseUrl: ${CATALOGUE_URL} # these three are in .env.example',
    '  keyId: ${CATALOGUE_KEY_ID}',
    '  keySecret: ${CATALOGUE_KEY_SECRET}',
    ...formatFilters(endpoint),
  ]
}

function formatTreatment(draft: ConfigDraft): string[] {
  const { contract, source } = draft
  const { record } = contracts[contract]
  const condition = formatCondition(contract)
  const hasDeltas = source.kind === 'service' && 'updatedSince' in endpoints[source.endpoint].filters
  return [
    ...(contract === 'raw'
      ? []
      : [
          `contract: { invalidValues: null } # a wrong value becomes null and is counted; no ${record.replaceAll('_', ' ')} is lost for one`,
        ]),
    ...(condition === null ? [] : [`# where: ${condition} # only records that meet this`]),
    ...(source.kind === 'files' && source.survey.hasSeveral ? [formatDuplicates(contract)] : []),
    ...(hasDeltas ? ['# incremental: {} # reads what changed since the last run, everything once a week'] : []),
    '# rejects: { limit: 1% } # with more rejected lines nothing is published',
  ]
}

function formatDuplicates(contract: ConfigDraft['contract']): string {
  return contract === 'product'
    ? 'duplicates: last # if a product is in several files, keep the last: name the files of v4 after those of v3'
    : '# duplicates: last # if several lines have one id, keep only the last'
}

function formatLocales({ locales, source }: ConfigDraft): string[] {
  if (locales.length === 0) return []
  return [
    `locales: ${formatList(locales)} # a column each, for every translated text; ${describeLocales(locales, source)}`,
  ]
}

function describeLocales(locales: readonly string[], source: DraftSource): string {
  if (source.kind === 'service') return 'others, such as de, may be delivered, too'
  const { survey } = source
  const others = survey.locales.filter((locale) => !locales.includes(locale))
  if (survey.locales.length === 0) return `${describeBound(survey)} have none`
  return others.length === 0
    ? `${describeBound(survey)} have these`
    : `${describeBound(survey)} also have ${others.join(', ')}`
}

function describeBound({ records, isWhole }: ExportSurvey): string {
  return `${isWhole ? 'all' : 'the first'} ${formatCount(records)} records`
}

function formatTables(draft: ConfigDraft): string[] {
  return ['tables:', ...listTables(draft.contract).flatMap((table) => formatTable(table, draft))]
}

function formatTable({ name, each }: TableChoice, draft: ConfigDraft): string[] {
  const isLeftOut = !draft.tables.some((table) => table.name === name)
  const mark = isLeftOut ? '# ' : ''
  if (each !== null) {
    const comment = describeElements(each, draft.source)
    return [`  ${mark}${name}: { each: ${quoteYaml(each)} }${comment === '' ? '' : ` # ${comment}`}`]
  }
  const columns = formatColumns(draft.contract, draft.locales)
  const { record } = contracts[draft.contract]
  return [
    `  ${mark}${name}: {} # a row for each ${record.replaceAll('_', ' ')}, every field${columns.length > 0 ? '; for some of them, these lines in its place:' : ''}`,
    ...(columns.length === 0 ? [] : [`  # ${name}:`, '  #   columns:', ...columns.map((line) => `  #     - ${line}`)]),
  ]
}

function describeElements(each: string, source: DraftSource): string {
  if (source.kind === 'service') return ''
  const { survey } = source
  const count = survey.elements.get(each) ?? 0
  return count === 0 ? `none in ${describeBound(survey)}` : ''
}

function formatOutput(format: OutputFormat, { name, outputs }: ConfigDraft): string {
  const [value, comment] = outputTexts[format](name)
  const isChosen = outputs.includes(format)
  return `  ${isChosen ? '' : '# '}- ${value}${comment === '' ? '' : ` # ${comment}`}`
}

const outputTexts: Readonly<Record<OutputFormat, (name: string) => readonly [value: string, comment: string]>> = {
  parquet: () => ["{ format: parquet, path: 'out/{pipeline}/{table}.parquet' }", ''],
  csv: () => [
    "{ format: csv, path: 'out/{pipeline}/{table}.csv' }",
    'for programs; Excel needs xlsx to get numbers and codes right',
  ],
  xlsx: () => [
    "{ format: xlsx, path: 'out/{pipeline}/{pipeline}.xlsx' }",
    'for Excel, in every country: a sheet a table; not beside databases, lakes',
  ],
  ndjson: () => ["{ format: ndjson, path: 'out/{pipeline}/{table}.ndjson' }", ''],
  duckdb: () => ["{ format: duckdb, path: 'out/{pipeline}/{pipeline}.duckdb' }", 'needs npm install @duckdb/node-api'],
  postgres: (name) => [
    `{ format: postgres, url: '\${DATABASE_URL}', schema: ${toSchemaName(name)} }`,
    'the address is in the variable DATABASE_URL',
  ],
  delta: () => ["{ format: delta, path: 'out/{pipeline}/{table}' }", 'for lakes; needs npm install @duckdb/node-api'],
}

function toSchemaName(name: string): string {
  const words = name.toLowerCase().replaceAll(/\W+/g, '_').slice(0, 40)
  return quoteYaml(/^[a-z_]/.test(words) ? words : `t_${words}`)
}
