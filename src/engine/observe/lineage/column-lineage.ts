import { resolveContract } from '../../../contracts/extended/extend-contract.ts'
import type { Field } from '../../../contracts/fields.ts'
import type { RecordsPlan } from '../../../plan/records/records-plan.ts'
import type { Condition } from '../../../records/conditions/condition.ts'
import type { ColumnPlan, Step, TablePlan } from '../../../records/flatten/table-plan.ts'
import type { DatasetName } from './name-datasets.ts'

interface SchemaField {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly fields?: readonly SchemaField[]
}

/** The fields of the records that are read, as their contract has them. */
export function listRecordFields(records: RecordsPlan): SchemaField[] {
  return toSchemaFields(resolveContract(records).fields)
}

function toSchemaFields(fields: ReadonlyMap<string, Field>): SchemaField[] {
  return [...fields].map(([name, field]) => {
    const { description } = field
    return { name, ...(description !== '' && { description }), ...toSchemaType(field) }
  })
}

function toSchemaType(field: Field): Pick<SchemaField, 'type' | 'fields'> {
  switch (field.kind) {
    case 'scalar':
      return { type: field.type }
    case 'object':
      return { type: 'struct', fields: toSchemaFields(field.fields) }
    case 'localized':
      return { ...toSchemaType(field.element), type: 'map' }
    case 'list':
      return { ...toSchemaType(field.element), type: 'array' }
  }
}

/** The fields of the records that each column of a table is made of, and those that its rows are selected by. */
export function toColumnLineage(table: TablePlan, { where }: RecordsPlan, inputs: readonly DatasetName[]) {
  const toInputFields = (field: string, transformation: object) =>
    inputs.map((input) => ({ ...input, field, transformations: [transformation] }))
  const fields = table.columns.flatMap((column) => {
    const origin = findOrigin(column, table)
    return origin === null ? [] : [[column.name, { inputFields: toInputFields(origin.field, origin.how) }] as const]
  })
  const selecting = [...listPaths([], where), ...listPaths(table.each, table.where)]
  const dataset = [...new Set(selecting)].flatMap((field) =>
    toInputFields(field, { type: 'INDIRECT', subtype: 'FILTER' }),
  )
  return { fields: Object.fromEntries(fields), ...(dataset.length > 0 && { dataset }) }
}

function findOrigin({ source, type, from }: ColumnPlan, { each }: TablePlan) {
  switch (source.kind) {
    case 'key':
      return { field: 'id', how: { type: 'DIRECT', subtype: 'IDENTITY' } }
    case 'path': {
      const isSame = type.kind === source.delivered && source.unitScale === 0 && source.steps.every(isPlain)
      const how = {
        type: 'DIRECT',
        subtype: isSame ? 'IDENTITY' : 'TRANSFORMATION',
        ...(!isSame && { description: from }),
      }
      return { field: formatPath([...each, ...source.steps]), how }
    }
    case 'count':
    case 'has': {
      const subtype = source.kind === 'count' ? 'AGGREGATION' : 'TRANSFORMATION'
      return {
        field: formatPath([...each, ...source.steps]),
        how: { type: 'DIRECT', subtype, description: from },
      }
    }
    case 'position':
      return {
        field: formatPath(each),
        how: { type: 'INDIRECT', subtype: 'WINDOW', description: 'position in the list' },
      }
    // Made of the whole record, or of nothing of it.
    case 'delivered':
    case 'computed':
    case 'own':
    case 'contentHash':
    case 'given':
    case 'nothing':
    case 'listed':
      return null
  }
}

function isPlain({ kind }: Step): boolean {
  return kind === 'field' || kind === 'all'
}

function listPaths(each: readonly Step[], conditions: readonly Condition[]): string[] {
  return conditions.map(({ steps }) => formatPath([...each, ...steps])).filter((path) => path !== '')
}

/** `brands.name`: the names of the fields on the way, as nested fields of a schema have them. */
export function formatPath(steps: readonly Step[]): string {
  return steps.flatMap((step) => (step.kind === 'field' ? [step.name] : [])).join('.')
}
