import type { ContractName } from '../../contracts/contracts.ts'
import type { EndpointName } from '../../service/endpoints/endpoints.ts'
import type { ExportSurvey } from './survey-export.ts'
import { keepsOwnState } from '../../config/schemas/output-schema.ts'
import { hasLocales, listTables, type TableChoice } from './list-tables.ts'

export const outputFormats = ['parquet', 'csv', 'xlsx', 'ndjson', 'duckdb', 'postgres', 'delta'] as const

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

/** Formats that a config of a contract may have. Databases and lakes need an id, which raw records may lack. */
export function listFormats(contract: ContractName): readonly OutputFormat[] {
  return contract === 'raw' ? outputFormats.filter((format) => !keepsOwnState(format)) : outputFormats
}

export const usualOutputs: readonly OutputFormat[] = ['parquet', 'csv']
export const usualLocales: readonly string[] = ['nl', 'fr', 'en']

export function draftExport(name: string, survey: ExportSurvey): ConfigDraft {
  return createDraft(name, survey.contract, { kind: 'files', survey }, survey.locales)
}

export function draftService(name: string, endpoint: EndpointName, contract: ContractName): ConfigDraft {
  return createDraft(name, contract, { kind: 'service', endpoint }, [])
}

function createDraft(name: string, contract: ContractName, source: DraftSource, found: readonly string[]): ConfigDraft {
  const locales = found.length > 0 ? found : usualLocales
  return {
    name,
    contract,
    source,
    tables: listTables(contract),
    locales: hasLocales(contract) ? locales : [],
    outputs: usualOutputs,
  }
}
