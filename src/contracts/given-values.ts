import type { z } from 'zod'
import { choice, text } from './field-kinds.ts'
import { type Field, toFields } from './fields.ts'

/** The versions of the service's interface. */
export const interfaceVersions = ['v3', 'v4'] as const

export type InterfaceVersion = (typeof interfaceVersions)[number]

/** The version in the name of an endpoint or a contract; null for another name. */
export function versionOf(name: string): InterfaceVersion | null {
  return interfaceVersions.find((version) => name.startsWith(`${version}/`)) ?? null
}

/** The version of the products of an endpoint; null for the records of a contract of one version, which say nothing of it. */
export function productVersionOf(endpoint: string, contract: string): InterfaceVersion | null {
  return contract === 'product' ? versionOf(endpoint) : null
}

/** What was read with the version of the interface that it came from, where that is known. */
export function withVersion<Read extends { readonly interfaceVersion?: InterfaceVersion | undefined }>(
  read: Read,
  interfaceVersion: InterfaceVersion | null | undefined,
): Read {
  return interfaceVersion ? { ...read, interfaceVersion } : read
}

/** Values that follow from the interface version of a source: no member of a record has them. */
const givenValues = {
  interfaceVersion: { v3: 'v3', v4: 'v4' },
  documentedPriceUnit: { v3: 'EUR cents', v4: 'EUR' },
} as const satisfies Record<string, Record<InterfaceVersion, string>>

export type GivenName = keyof typeof givenValues

export const givenNames = Object.keys(givenValues) as GivenName[]

/** Null where the version of the source is not known. */
export function readGiven(name: GivenName, version: InterfaceVersion | undefined): string | null {
  return version === undefined ? null : givenValues[name][version]
}

/** Values of the source that columns of a contract may be from. */
export interface GivenValues<Shape extends Record<string, z.ZodType> = Record<string, z.ZodType>> {
  readonly shape: Shape
  readonly fields: ReadonlyMap<string, Field>
  /** The field of the record whose columns each comes behind. */
  readonly behind: Readonly<Record<GivenName, string>>
}

/** The version of the interface that a product came from, and what the specification of that version writes of prices. */
export function productGiven() {
  const shape = {
    interfaceVersion: choice('Version of the interface that the record came from: v3 or v4', interfaceVersions),
    documentedPriceUnit: text(
      'Unit that the specification of this version writes beside prices, of the whole numbers as delivered: not of columns with a `unit`',
    ),
  }
  const behind = { interfaceVersion: 'id', documentedPriceUnit: 'manufacturerPrice' }
  return { shape, fields: toFields(shape), behind } satisfies GivenValues
}
