import { readConfigDocument, type ConfigDocument } from '../config/config-document.ts'
import type { ContractName } from '../contracts/contracts.ts'

export interface ConfigEntry {
  readonly file: string
  readonly read: () => Promise<ConfigDocument>
}

export interface ExportOptions {
  /** The contract of bare exports; recognized from the records by default. */
  readonly contract?: ContractName | undefined
  readonly quiet?: true | undefined
}

export function toEntry(file: string): ConfigEntry {
  return { file, read: () => readConfigDocument(file) }
}
