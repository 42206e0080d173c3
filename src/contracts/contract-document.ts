import type { Contract } from './contracts.ts'
import type { Field } from './fields.ts'

/** A contract as a Markdown table: every field with its type, meaning, marks and deviation from the specification. */
export function formatContractDocument({ name, record, plural, version, fields, given }: Contract): string {
  const rows = [...formatFields(fields, ''), ...formatGiven(given)]
  const head = ['| Field | Type | Meaning | Marks | Beyond the specification |', '|---|---|---|---|---|']
  return [
    `## ${name}`,
    '',
    `Record \`${record}\`, root table \`${plural}\`, version ${version}.`,
    '',
    ...head,
    ...rows,
    '',
  ].join('\n')
}

function formatGiven(given: Contract['given']): string[] {
  return [...(given?.fields ?? [])].map(([name, field]) => {
    const cells = [`\`${name}\``, formatType(field), field.description, 'of the source', '']
    return `| ${cells.map(escapeCell).join(' | ')} |`
  })
}

function formatFields(fields: ReadonlyMap<string, Field>, prefix: string): string[] {
  return [...fields].flatMap(([name, field]) => formatField(prefix + name, field))
}

function formatField(path: string, field: Field): string[] {
  const { notes, description } = field
  const { deprecated, volatile, orFrom, deviation = '' } = notes
  const marks = [
    ...(deprecated === undefined ? [] : [deprecated === true ? 'deprecated' : `deprecated: ${deprecated}`]),
    ...(volatile === undefined ? [] : ['volatile']),
    ...(orFrom === undefined ? [] : [`or else from \`${orFrom}\``]),
  ]
  const cells = [`\`${path}\``, formatType(field), description, marks.join(', '), deviation]
  return [`| ${cells.map(escapeCell).join(' | ')} |`, ...formatMembers(path, field)]
}

function formatMembers(path: string, field: Field): string[] {
  switch (field.kind) {
    case 'scalar':
      return []
    case 'object':
      return formatFields(field.fields, `${path}.`)
    case 'localized':
      return formatMembers(`${path}.{locale}`, field.element)
    case 'list':
      return formatMembers(`${path}[]`, field.element)
  }
}

function formatType(field: Field): string {
  switch (field.kind) {
    case 'scalar': {
      const { type, code, length, money, values } = field
      if (values !== undefined) return `text: ${values.join(', ')}`
      if (code) return length === undefined ? 'code' : `code of ${length} digits`
      return money ? 'integer (money, as delivered)' : type
    }
    case 'object':
      return 'object'
    case 'localized':
      return `localized ${formatType(field.element)}`
    case 'list':
      return `list of ${formatType(field.element)}`
  }
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}
