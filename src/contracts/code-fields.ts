import { schemeOf } from '../codes/schemes.ts'
import type { Contract } from './contracts.ts'
import type { Field, ScalarField } from './fields.ts'

/** A field of a record that holds codes. */
export interface CodeField {
  /** `cnk`, `ean[]`, `market.pzn`: how columns are from it. */
  readonly path: string
  /** That of the field's name; of other codes of `contract.extra`, their path. */
  readonly scheme: string
}

/** The fields of a record's own codes, in the order of the contract; those of `contract.extra` come last. */
export function listCodeFields({ fields, extra = {} }: Pick<Contract, 'fields' | 'extra'>): readonly CodeField[] {
  const own = [...fields].flatMap(([name, field]): CodeField[] => {
    const scheme = schemeOf(name)
    const isExtra = name in extra || `${name}[]` in extra
    return scheme === null || isExtra || !holdsText(field) ? [] : [{ path: pathOf(name, field), scheme }]
  })
  const added = Object.entries(extra).flatMap(([path, type]): CodeField[] => {
    const scheme = schemeOf(path) ?? (type === 'code' ? path.replaceAll('[]', '') : null)
    return scheme === null || !['code', 'text', 'integer'].includes(type) ? [] : [{ path, scheme }]
  })
  return [...own, ...added]
}

function pathOf(name: string, { kind }: Field): string {
  return kind === 'list' ? `${name}[]` : name
}

function holdsText(field: Field): boolean {
  const { kind, type } = (field.kind === 'list' ? field.element : field) as ScalarField
  return kind === 'scalar' && (type === 'text' || type === 'integer')
}
