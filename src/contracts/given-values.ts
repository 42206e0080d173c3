import { choice, text } from './field-kinds.ts'
import type { Field } from './fields.ts'

export const interfaceVersions = ['v3', 'v4'] as const

export type InterfaceVersion = (typeof interfaceVersions)[number]

/** The version in the name of an endpoint or a contract; null for another name. */
export function versionOf(name: string): InterfaceVersion | null {
  return interfaceVersions.find((version) => name.startsWith(`${version}/`)) ?? null
}

/** The version of the products of an endpoint; null if the contract is of one version. */
export function productVersionOf(endpoint: string, contract: string): InterfaceVersion | null {
  return contract === 'product' ? versionOf(endpoint) : null
}

export function withVersion<Read extends { readonly interfaceVersion?: InterfaceVersion | undefined }>(
  read: Read,
  interfaceVersion: InterfaceVersion | null | undefined,
): Read {
  return interfaceVersion ? { ...read, interfaceVersion } : read
}

/** Values that follow from the interface version of a source. No member of a record has them. */
const givenValues = {
  interfaceVersion: { v3: 'v3', v4: 'v4' },
  documentedPriceUnit: { v3: 'EUR cents', v4: 'EUR' },
} as const satisfies Record<string, Record<InterfaceVersion, string>>

export type GivenName = keyof typeof givenValues

export const givenNames = Object.keys(givenValues) as GivenName[]

export function readGiven(name: GivenName, version: InterfaceVersion | undefined): string | null {
  return version === undefined ? null : givenValues[name][version]
}

export interface GivenValues {
  readonly fields: ReadonlyMap<string, Field>
  /** The field whose columns each value's column follows. */
  readonly behind: Readonly<Record<GivenName, string>>
}

/** The interface version that a product came from, and the unit of prices in that version's specification. */
export function productGiven(): GivenValues {
  const fields = {
    interfaceVersion: choice('Version of the interface that the record came from: v3 or v4', interfaceVersions),
    documentedPriceUnit: text(
      'Unit that the specification of this version writes beside prices, of the whole numbers as delivered: not of columns with a `unit`',
    ),
  }
  const behind = { interfaceVersion: 'id', documentedPriceUnit: 'manufacturerPrice' }
  return { fields: new Map(Object.entries(fields)), behind }
}
