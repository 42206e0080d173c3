import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** What a cell may be: `string`, `'active'`, `Date`, `null`, …; in lists `list`, and `string in list` for what may be in them. */
export type Members = ReadonlySet<string>

/** Of every contract the tables, and of these the columns, as the declarations say: read by a parser of others. */
export async function readDeclaredTables(): Promise<Map<string, Map<string, Map<string, Members>>>> {
  const [tables, rows] = await Promise.all(['tables', 'rows'].map(readInterfaces))
  const contracts = tables?.get('ContractTables') ?? []
  return toMap(contracts, (contract) =>
    toMap(membersOf(contract), (table) => {
      const row = tables?.get(nameOf(table))?.find(({ name }) => name === 'row')
      return toMap(rows?.get(nameOf(row?.type)) ?? [], (column) => new Set(listMembers(column)))
    }),
  )
}

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

interface Property {
  readonly name: string
  readonly type: Node
}

/** The properties of every interface of a module. */
async function readInterfaces(name: string): Promise<Map<string, readonly Property[]>> {
  const path = join(import.meta.dirname, `../../src/records/tables/${name}.ts`)
  const { program, errors } = parseSync(path, await readFile(path, 'utf8'))
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const declared = (program.body as unknown as readonly Node[]).flatMap(
    ({ declaration }) => (declaration as Node) ?? [],
  )
  const interfaces = declared.filter(({ type }) => type === 'TSInterfaceDeclaration')
  const found = new Map(interfaces.map((each) => [identify(each), membersOf(each['body'] as Node, 'body')]))
  const aliases = declared.filter(({ type }) => type === 'TSTypeAliasDeclaration')
  for (const each of aliases) {
    const other = each['typeAnnotation'] as Node
    if (other.type === 'TSTypeReference') found.set(identify(each), found.get(nameOf(other)) ?? [])
  }
  return found
}

function identify({ id }: Node): string {
  return (id as { name: string }).name
}

function membersOf(node: Node, key = 'members'): readonly Property[] {
  return (node[key] as readonly Node[]).map((member) => {
    if (member.type !== 'TSPropertySignature' || member['optional'] === true) throw unknownNode(member)
    const { name, value } = member['key'] as { name?: string; value?: string }
    return { name: name ?? value ?? '', type: (member['typeAnnotation'] as { typeAnnotation: Node }).typeAnnotation }
  })
}

function toMap<Value>(properties: readonly Property[], toValue: (type: Node) => Value): Map<string, Value> {
  return new Map(properties.map(({ name, type }) => [name, toValue(type)]))
}

function nameOf(node: Node | undefined): string {
  if (node?.type !== 'TSTypeReference') throw unknownNode(node)
  return (node['typeName'] as { name: string }).name
}

const keywords: Readonly<Record<string, string>> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBigIntKeyword: 'bigint',
  TSBooleanKeyword: 'boolean',
  TSNullKeyword: 'null',
}

function listMembers(node: Node): readonly string[] {
  const keyword = keywords[node.type]
  if (keyword !== undefined) return [keyword]
  switch (node.type) {
    case 'TSUnionType':
      return (node['types'] as readonly Node[]).flatMap(listMembers)
    case 'TSParenthesizedType':
      return listMembers(node['typeAnnotation'] as Node)
    case 'TSArrayType':
      return ['list', ...listMembers(node['elementType'] as Node).map((member) => `${member} in list`)]
    case 'TSLiteralType':
      return [`'${(node['literal'] as { value: string }).value}'`]
    case 'TSTypeReference':
      return [nameOf(node)]
    // `string & {}`: any text, beside those that editors propose.
    case 'TSIntersectionType':
      return listMembers((node['types'] as readonly Node[])[0] as Node)
    default:
      throw unknownNode(node)
  }
}

function unknownNode(node: Node | undefined): Error {
  return new Error(`expected the type of a table or a column, got ${node?.type}`)
}
