import { isBuiltin } from 'node:module'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { Visitor, type VisitorObject } from 'rolldown/utils'
import packageJson from '../../package.json' with { type: 'json' }

/** The names of packages that code imports or requires, early or late. */
export function listPackages(code: string): string[] {
  return listAsked(code)
    .map(({ name }) => name)
    .filter((name) => !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
    .filter((name) => names.has(name))
}

/** The bytes of the one file of a folder that begins so, and of those that it loads at once. */
export async function sumLoaded(folder: string, start: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.startsWith(start) && /\.c?js$/.test(file),
  )
  const paths = new Set(files.map((file) => join(folder, file)))
  let bytes = 0
  // A set also iterates over what is added meanwhile.
  for (const path of paths) {
    const code = await readFile(path, 'utf8')
    bytes += code.length
    for (const { name, isEarly } of listAsked(code))
      if (isEarly && /\.c?js$/.test(name)) paths.add(join(path, '..', name))
  }
  return bytes
}

/** Other calls of one short function have one text, too. */
const names = new Set(Object.keys({ ...packageJson.devDependencies, ...packageJson.peerDependencies }))

interface Asked {
  readonly name: string
  /** Not from within a function that is called later. */
  readonly isEarly: boolean
}

/** What code imports, requires or loads as a script, whatever the functions that do it are called after minification. */
function listAsked(code: string): Asked[] {
  const asked: Asked[] = []
  // A script is one function, which is called at once.
  let depth = code.startsWith('"use strict";(') || code.startsWith("'use strict';(") ? -1 : 0
  const add = (source: Node | null | undefined, isEarly: boolean) => {
    const name = source && textOf(source)
    if (typeof name === 'string') asked.push({ name, isEarly })
  }
  const enter = () => void depth++
  const leave = () => void depth--
  new Visitor({
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    ImportDeclaration: ({ source }) => add(source, true),
    ExportAllDeclaration: ({ source }) => add(source, true),
    ExportNamedDeclaration: ({ source }) => add(source, true),
    ImportExpression: ({ source }) => add(source, false),
    CallExpression: ({ callee, arguments: [source, ...others] }) =>
      others.length === 0 && isLoader(callee) && add(source, depth === 0),
  }).visit(parseAst(code))
  return asked
}

type Node = Parameters<NonNullable<VisitorObject['CallExpression']>>[0]['arguments'][number]

/** A variable, such as `require`, or what `createRequire(import.meta.url)` gives. */
function isLoader(callee: { readonly type: string }): boolean {
  return callee.type === 'Identifier' || callee.type === 'CallExpression'
}

function textOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return null
  return node.quasis[0]?.value.cooked ?? null
}
