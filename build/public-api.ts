import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** docs/public-api.md: what each entry of the package exports, as its sources declare it. */
export async function formatPublicApi(): Promise<string> {
  const sections = await Promise.all(
    Object.entries({ 'catalogue-etl': 'index', ...shared }).map(async ([entry, file]) => {
      const exported = await readExports(join(root, `src/${file}.ts`))
      const lines = [...exported].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => toLine(name, text))
      return `## ${entry}\n\n${lines.join('\n')}\n`
    }),
  )
  return head + sections.join('\n')
}

const shared = {
  'catalogue-etl/streams': 'streams',
  'catalogue-etl/sandbox': 'sandbox',
  'catalogue-etl/users': 'users',
}

const root = join(import.meta.dirname, '..')

const head = `# The public API

Made from the sources by \`npm run docs\`: what each entry of the package exports. What is not here may change in any version; what is
here changes as [the policy](../SECURITY.md#versions) says. A line that goes, or that changes so that calls no longer compile, is a breaking change:
say so in the [changelog](../CHANGELOG.md), and keep the old name as deprecated where that is possible. A line that comes is a new feature.

`

function toLine(name: string, text: string): string {
  return `- \`${name}\`: \`${text.replaceAll('`', "'")}\``
}

/** What a module exports, by name, each as its declaration in one line. */
async function readExports(path: string): Promise<Map<string, string>> {
  const code = await readFile(path, 'utf8')
  const { body } = parseAst(code, { lang: 'ts' })
  const exported = new Map<string, string>()
  const readOf = (source: string) => readExports(join(path, '..', source))
  for (const node of body) {
    if (node.type === 'ExportAllDeclaration')
      for (const [name, text] of await readOf(node.source.value)) exported.set(name, text)
    if (node.type !== 'ExportNamedDeclaration') continue
    if (node.declaration !== null) addDeclared(node.declaration, code, exported)
    for (const { local, exported: as } of node.specifiers) {
      const name = textOf(local, code)
      const source = node.source?.value ?? sourceOf(name, body, code)
      const text = source === undefined ? listDeclared(body, code).get(name) : (await readOf(source)).get(name)
      if (text === undefined) throw new Error(`${path}: expected the declaration of ${name}, got none`)
      exported.set(textOf(as, code), text)
    }
  }
  return exported
}

type Body = ReturnType<typeof parseAst>['body']

/** The module that an imported name comes from. */
function sourceOf(name: string, body: Body, code: string): string | undefined {
  const imports = body.filter((node) => node.type === 'ImportDeclaration')
  return imports.find(({ specifiers }) => specifiers.some(({ local }) => textOf(local, code) === name))?.source.value
}

function listDeclared(body: Body, code: string): Map<string, string> {
  const declared = new Map<string, string>()
  for (const node of body)
    if ('id' in node || node.type === 'VariableDeclaration') addDeclared(node as Declaration, code, declared)
  return declared
}

type Declaration = NonNullable<Extract<Body[number], { type: 'ExportNamedDeclaration' }>['declaration']>

function addDeclared(node: Declaration, code: string, exported: Map<string, string>): void {
  if (node.type === 'VariableDeclaration')
    for (const { id } of node.declarations) exported.set(nameOf(id, code), `${node.kind} ${textOf(id, code)}`)
  else if ('id' in node && node.id !== null) {
    const name = nameOf(node.id, code)
    const before = exported.get(name)
    const text = describe(node, code)
    exported.set(name, before === undefined ? text : `${before}; ${text}`)
  }
}

/** The head of a function or class, the names of an interface's members, the beginning of a type. */
function describe(node: Declaration, code: string): string {
  const isList = node.type === 'TSInterfaceDeclaration' || node.type === 'ClassDeclaration'
  if (isList) {
    const members = node.body.body.flatMap((member) =>
      'key' in member && !isHidden(member)
        ? [`${textOf(member.key, code)}${'optional' in member && member.optional ? '?' : ''}`]
        : [],
    )
    const start = textOf({ start: node.start, end: node.body.start }, code)
    return members.length === 0 ? start : `${start} { ${[...new Set(members)].join(', ')} }`
  }
  const end = 'body' in node && node.body !== null && node.body !== undefined ? node.body.start : node.end
  const text = textOf({ start: node.start, end }, code).replace(/^declare /, '')
  return text.length > 240 ? `${text.slice(0, 240)}…` : text
}

function isHidden(member: object): boolean {
  const isPrivate = 'accessibility' in member && member.accessibility === 'private'
  const hasHash = 'key' in member && (member.key as { type: string }).type === 'PrivateIdentifier'
  return isPrivate || hasHash
}

function nameOf(id: { readonly start: number; readonly end: number }, code: string): string {
  return /^\w+/.exec(textOf(id, code))?.[0] ?? ''
}

/** In one line, without comments. */
function textOf({ start, end }: { readonly start: number; readonly end: number }, code: string): string {
  return code
    .slice(start, end)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/([([{<]) | ([)\]>])/g, '$1$2')
    .trim()
}
