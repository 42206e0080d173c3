import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename } from 'node:path'
import { Script } from 'node:vm'
import type { OutputChunk, Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { Visitor, type VisitorObject } from 'rolldown/utils'
import { minify } from './minify.ts'
import { readOrigins, toLineMap } from './source-maps.ts'

/**
 * Makes a script of each chunk that imports only modules of Node and other scripts: V8 keeps compiled code of scripts, and
 * in Node 20 of no modules. Scripts load each other without what modules take for it. The module that remains of a chunk
 * exports what its script returns.
 */
export const scriptChunks: Plugin = {
  name: 'script chunks',
  generateBundle(_, files) {
    const scripts = listScripts(Object.values(files).filter((file) => file.type === 'chunk'))
    const exportsOf = new Map(scripts.map((chunk) => [basename(chunk.fileName), chunk.exports]))
    for (const chunk of scripts) {
      const name = basename(toScriptName(chunk.fileName))
      const { source, map } = toScript(chunk, exportsOf)
      // Throws a SyntaxError now, not in a rare run.
      void new Script(source, { filename: name })
      const link = map === null ? '' : `//# sourceMappingURL=${name}.map\n`
      this.emitFile({ type: 'asset', fileName: `bundle/${name}`, source: source + link })
      if (map !== null) this.emitFile({ type: 'asset', fileName: `bundle/${name}.map`, source: map })
      chunk.code = toModule(name, chunk.exports)
      chunk.map = null
    }
    const { code: source } = minify('load-script.js', readFileSync(new URL('load-script.mjs', import.meta.url), 'utf8'))
    this.emitFile({ type: 'asset', fileName: 'bundle/load-script.js', source })
  },
}

function listScripts(chunks: readonly OutputChunk[]): readonly OutputChunk[] {
  const scripts = new Map<string, OutputChunk>()
  const isScript = ({ isEntry, imports, code }: OutputChunk) =>
    !isEntry && imports.every((name) => isBuiltin(name) || scripts.has(name)) && exportsConstants(code)
  const findNext = () => chunks.find((chunk) => !scripts.has(chunk.fileName) && isScript(chunk))
  for (let next = findNext(); next !== undefined; next = findNext()) scripts.set(next.fileName, next)
  return [...scripts.values()]
}

/** Scripts read once what others export: it must not change. Packages in CommonJS have a default export, and are few. */
function exportsConstants(code: string): boolean {
  const { body } = parseAst(code)
  if (body.some(({ type }) => type === 'ExportDefaultDeclaration' || type === 'ExportAllDeclaration')) return false
  const variables = new Set<string>()
  for (const each of body) {
    if (each.type !== 'VariableDeclaration' || each.kind !== 'let') continue
    for (const { id } of each.declarations) variables.add(textOf(id, code))
  }
  const exported = body.flatMap((each) => (each.type === 'ExportNamedDeclaration' ? each.specifiers : []))
  return !exported.some(({ local }) => variables.has(textOf(local, code)))
}

/** The script is in ASCII: V8 then holds it in a byte a character, without decoding it. Its first line only makes it strict. */
function toScript(chunk: OutputChunk, exportsOf: ReadonlyMap<string, readonly string[]>) {
  const { code, exports, fileName } = chunk
  const own = new Map<string, string>()
  let script = ''
  let written = 0
  const replace = ({ start, end }: Span, text: string) => {
    // With as many lines as before, by which its map leads to the sources.
    script += code.slice(written, start) + text + code.slice(start, end).replaceAll(/[^\n]/g, '')
    written = end
  }
  new Visitor({
    ImportDeclaration: (node) => replace(node, takeImported(node, code, exportsOf)),
    ImportExpression({ start, end, source }) {
      const name = source.type === 'Literal' ? basename(String(source.value)) : ''
      const exported = exportsOf.get(name)
      if (exported !== undefined) replace({ start, end }, loadLater(name, exported))
      else replace({ start, end: source.start }, '$import(')
    },
    MetaProperty: (node) => textOf(node, code) === 'import.meta' && replace(node, '$meta'),
    ExportNamedDeclaration(node) {
      const { source, specifiers } = node
      const all = `$${node.start}`
      const others = source === null ? undefined : exportsOf.get(basename(source.value))
      for (const { local, exported } of specifiers) {
        const name = textOf(local, code)
        own.set(textOf(exported, code), others === undefined ? name : `${all}[${others.indexOf(name)}]`)
      }
      replace(node, source === null ? '' : `const ${all} = ${takeChunk(source.value)};`)
    },
  }).visit(parseAst(code))
  const returned = exports.map((name) => own.get(name))
  // As an export, as what is the value of a script would be left out.
  const whole = `${asExport}($load, $import, $meta) => {${script}${code.slice(written)}return [${returned.join(', ')}];\n}`
  const small = minify(fileName, whole)
  const source = `'use strict';\n(${small.code.slice(asExport.length).replace(/;$/, '')})\n`
  const map = toLineMap(small.mappings, readOrigins(chunk), { before: 1, shift: 1 - asExport.length })
  return { source, map }
}

const asExport = 'export default'

interface Span {
  readonly start: number
  readonly end: number
}

function textOf({ start, end }: Span, code: string): string {
  return code.slice(start, end)
}

type ImportDeclaration = Parameters<NonNullable<VisitorObject['ImportDeclaration']>>[0]

function takeImported(
  node: ImportDeclaration,
  code: string,
  exportsOf: ReadonlyMap<string, readonly string[]>,
): string {
  const { source, specifiers } = node
  const exported = exportsOf.get(basename(source.value))
  const [first] = specifiers
  // Without the module that an import makes of it: it reads every export, which loads what is behind some of them.
  const taken = exported === undefined ? `process.getBuiltinModule(${textOf(source, code)})` : takeChunk(source.value)
  if (first === undefined) return `${taken};`
  if (first.type !== 'ImportSpecifier') return `const ${textOf(first.local, code)} = ${taken};`
  if (exported === undefined)
    return `const { ${specifiers.map((each) => textOf(each, code).replace(' as ', ': ')).join(', ')} } = ${taken};`
  const all = `$${node.start}`
  const members = specifiers.map((each) => {
    const name = textOf(each.type === 'ImportSpecifier' ? each.imported : each.local, code)
    return `${textOf(each.local, code)} = ${all}[${exported.indexOf(name)}]`
  })
  return `const ${[`${all} = ${taken}`, ...members].join(', ')};`
}

function takeChunk(path: string): string {
  return `$load("${toScriptName(basename(path))}")`
}

/** In place of an import that gives a promise of a module. */
function loadLater(chunk: string, exported: readonly string[]): string {
  const members = exported.map((name, at) => `${name}: all[${at}]`)
  return `(async () => { const all = ${takeChunk(chunk)}; return { ${members.join(', ')} }; })()`
}

function toModule(script: string, exported: readonly string[]): string {
  return `import { loadScript } from "./load-script.js";
const [${exported.map((name) => `_${name}`).join(', ')}] = loadScript("${script}");
export { ${exported.map((name) => `_${name} as ${name}`).join(', ')} };
`
}

function toScriptName(chunk: string): string {
  return chunk.replace(/\.js$/, '.cjs')
}
