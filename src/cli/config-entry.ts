import { readConfigDocument, type ConfigDocument } from '../config/config-document.ts'
import type { ContractName } from '../contracts/contracts.ts'

/** A config that a command line names, to be read. */
export interface ConfigEntry {
  readonly file: string
  readonly read: () => Promise<ConfigDocument>
}

export interface ExportOptions {
  /** The contract of the records of bare exports; by default it is recognized. */
  readonly contract?: ContractName | undefined
  readonly quiet?: true | undefined
}

/** A config that is a file of its own. */
export function toEntry(file: string): ConfigEntry {
  return { file, read: () => readConfigDocument(file) }
}
