import type { ContractName } from '../contracts/contracts.ts'
import type { EndpointName } from '../service/endpoints/endpoints.ts'
import type { ExportSurvey } from './survey-export.ts'
import { hasLocales, listTables, type TableChoice } from './list-tables.ts'

export const outputFormats = ['parquet', 'csv', 'xlsx', 'ndjson', 'duckdb', 'postgres'] as const

export type OutputFormat = (typeof outputFormats)[number]

export type DraftSource =
  | { readonly kind: 'files'; readonly survey: ExportSurvey }
  | { readonly kind: 'service'; readonly endpoint: EndpointName }

export interface ConfigDraft {
  readonly name: string
  readonly contract: ContractName
  readonly source: DraftSource
  /** Tables to write; the others become comments. */
  readonly tables: readonly TableChoice[]
  /** Empty if the contract has no localized fields. */
  readonly locales: readonly string[]
  readonly outputs: readonly OutputFormat[]
}

/** Formats that a config of a contract may have. Databases need an id, which raw records may lack. */
export function listFormats(contract: ContractName): readonly OutputFormat[] {
  return contract === 'raw'
    ? outputFormats.filter((format) => format !== 'duckdb' && format !== 'postgres')
    : outputFormats
}

export const usualOutputs: readonly OutputFormat[] = ['parquet', 'csv']
export const usualLocales: readonly string[] = ['nl', 'fr', 'en']

export function draftExport(name: string, survey: ExportSurvey): ConfigDraft {
  const { contract } = survey
  const locales = hasLocales(contract) ? (survey.locales.length > 0 ? survey.locales : usualLocales) : []
  return {
    name,
    contract,
    source: { kind: 'files', survey },
    tables: listTables(contract),
    locales,
    outputs: usualOutputs,
  }
}

export function draftService(name: string, endpoint: EndpointName, contract: ContractName): ConfigDraft {
  const locales = hasLocales(contract) ? usualLocales : []
  return {
    name,
    contract,
    source: { kind: 'service', endpoint },
    tables: listTables(contract),
    locales,
    outputs: usualOutputs,
  }
}
