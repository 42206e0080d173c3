import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { Visitor, type VisitorObject } from 'rolldown/utils'

/**
 * Makes scripts of the chunks by these names: V8 keeps compiled code of scripts, and in Node 20 of no modules. The module
 * that remains gives its script what it imports, and exports what the script returns.
 */
export function scriptChunks(names: readonly string[]): Plugin {
  return {
    name: 'script chunks',
    generateBundle(_, files) {
      for (const chunk of Object.values(files)) {
        if (chunk.type !== 'chunk' || !names.includes(chunk.name)) continue
        const { module, script } = splitChunk(chunk.code, chunk.fileName.replace(/^bundle\/(.*)\.js$/, '$1.cjs'))
        this.emitFile({ type: 'asset', fileName: chunk.fileName.replace(/\.js$/, '.cjs'), source: script })
        chunk.code = module
      }
      const source = readFileSync(new URL('load-script.mjs', import.meta.url))
      this.emitFile({ type: 'asset', fileName: 'bundle/load-script.js', source })
    },
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

/** The script keeps its code in the same lines, in ASCII: V8 then holds it in a byte a character, without decoding it. */
function splitChunk(code: string, scriptName: string): { module: string; script: string } {
  const program = parseAst(code)
  const textOf = ({ start, end }: Span) => code.slice(start, end)
  const given = ['$meta', '$import']
  const exported: { own: string; name: string }[] = []
  let imports = ''
  let script = ''
  let written = 0
  const replace = ({ start, end }: Span, text: string) => {
    script += code.slice(written, start) + text
    written = end
  }
  new Visitor({
    ImportDeclaration(node) {
      imports += `${isBuiltin(node.source.value) ? takeBuiltin(node, textOf) : textOf(node)}\n`
      given.push(...node.specifiers.map(({ local }) => local.name))
      replace(node, '')
    },
    ImportExpression: ({ start, source }) => replace({ start, end: source.start }, '$import('),
    MetaProperty: (node) => textOf(node) === 'import.meta' && replace(node, '$meta'),
    ExportNamedDeclaration(node) {
      exported.push(...node.specifiers.map((each) => ({ own: textOf(each.local), name: textOf(each.exported) })))
      replace(node, `return { ${exported.map(({ own, name }) => `_${name}: ${own}`).join(', ')} };`)
    },
  }).visit(program)
  const variables = program.body.flatMap((each) =>
    each.type === 'VariableDeclaration' && each.kind === 'let' ? each.declarations.map(({ id }) => textOf(id)) : [],
  )
  const names = new Set(variables)
  const changing = exported.find(({ own }) => names.has(own))
  if (changing !== undefined) throw new Error(`${scriptName}: "${changing.own}" may change after it is exported`)
  const module = `${imports}import { loadScript } from "./load-script.js";
const $meta = import.meta;
const $import = (name) => import(name);
const run = loadScript(new URL("${scriptName}", $meta.url));
const { ${exported.map(({ name }) => `_${name}`).join(', ')} } = run({ ${given.join(', ')} });
export { ${exported.map(({ name }) => `_${name} as ${name}`).join(', ')} };
`
  const whole = `'use strict'; (({ ${given.join(', ')} }) => {${script}${code.slice(written)}\n})\n`
  return { module, script: whole.replaceAll(/[^\0-\x7f]/g, escapeUnit) }
}

type ImportDeclaration = Parameters<NonNullable<VisitorObject['ImportDeclaration']>>[0]

/** Without the module that an import makes of each: it reads every export, which loads what is behind some of them. */
function takeBuiltin({ source, specifiers }: ImportDeclaration, textOf: (span: Span) => string): string {
  const taken = `process.getBuiltinModule(${textOf(source)});`
  const [first] = specifiers
  if (first === undefined) return taken
  if (first.type !== 'ImportSpecifier') return `const ${textOf(first.local)} = ${taken}`
  const members = specifiers.map((each) => textOf(each).replace(' as ', ': '))
  return `const { ${members.join(', ')} } = ${taken}`
}

/** Correct in strings and regular expressions, the only code of a bundle that is not ASCII. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
