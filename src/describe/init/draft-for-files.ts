import { toPipelineName } from '../../config/pipeline-name.ts'
import { contracts } from '../../contracts/contracts.ts'
import { draftExport, type ConfigDraft } from './config-draft.ts'
import { formatConfig } from './format-config.ts'
import { surveyExport, type ExportSurvey, type SurveyOptions } from './survey-export.ts'
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageFile } from '../../package-file.ts'

export interface WritableDraft {
  readonly draft: ConfigDraft
  readonly file: string
}

/** Drafts a config for exports with the choices of `init --yes`. Throws what `surveyExport` throws. */
export async function draftForFiles(
  files: readonly string[],
  options: SurveyOptions,
): Promise<WritableDraft & { readonly survey: ExportSurvey }> {
  const survey = await surveyExport(files, options)
  const name = survey.hasSeveral ? contracts[survey.contract].plural : toPipelineName(files[0] ?? '')
  return { draft: draftExport(name, survey), file: `${name}.yaml`, survey }
}

export function formatDraft(draft: ConfigDraft, file: string): string {
  return formatConfig(draft, { file, schema: findSchemaPath(file) })
}

/** `v4/product (recognized by …), 23 tables, 3 locales (nl, fr, en), Parquet and CSV` */
export function describeDraft({ contract, source, tables, locales, outputs }: ConfigDraft): string {
  const known = source.kind === 'files' ? ` (${source.survey.reason})` : ''
  return [
    `${contract}${known}`,
    tables.length === 1 ? '1 table' : `${tables.length} tables`,
    ...(locales.length === 0
      ? []
      : [`${locales.length} locale${locales.length === 1 ? '' : 's'} (${locales.join(', ')})`]),
    listOutputs(outputs),
  ].join(', ')
}

export function listOutputs(outputs: ConfigDraft['outputs']): string {
  return new Intl.ListFormat('en').format(outputs.map((format) => formatNames[format]))
}

export const formatNames = {
  parquet: 'Parquet',
  csv: 'CSV',
  xlsx: 'an Excel workbook',
  ndjson: 'NDJSON',
  duckdb: 'DuckDB',
  postgres: 'PostgreSQL',
  delta: 'Delta tables',
} as const

const schema = 'pipelines/pipeline.schema.json'

/**
 * Path of the JSON Schema of configs, as an editor resolves it from a config. It is relative if the config is in this
 * package or below a folder that has it installed.
 */
function findSchemaPath(config: string): string {
  const folder = dirname(resolve(config))
  const own = packageFile(schema)
  const root = dirname(dirname(own))
  if (folder === root || folder.startsWith(root + sep)) return toReference(relative(folder, own))
  const installed = listAbove(folder).map((above) => join(above, 'node_modules/catalogue-etl', schema))
  const found = installed.find((path) => existsSync(path))
  return found === undefined ? toReference(own) : toReference(relative(folder, found))
}

function listAbove(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...listAbove(above)]
}

/** A `$schema=` comment ends at the first space. */
function toReference(path: string): string {
  if (/\s/.test(path)) return pathToFileURL(resolve(path)).href
  const slashed = path.replaceAll(sep, '/')
  return /^(?:\/|\.|[A-Za-z]:)/.test(slashed) ? slashed : `./${slashed}`
}
