/* A file of the bundle as it is. */

const { readFileSync } = process.getBuiltinModule('node:fs')
const { fileURLToPath } = process.getBuiltinModule('node:url')
const { Script } = process.getBuiltinModule('node:vm')

const loaded = new Map()

/** What a script of the bundle exports, in its order. */
export function loadScript(name) {
  let exported = loaded.get(name)
  if (exported === undefined) {
    const { href } = new URL(name, import.meta.url)
    exported = compileScript(fileURLToPath(href))(loadScript, importModule, { url: href })
    loaded.set(name, exported)
  }
  return exported
}

/** With the code that V8 of this version has compiled of it before, if that is there. */
function compileScript(filename) {
  if (process.sourceMapsEnabled) return compileTraced(filename)
  const cachedData = readCompiled(`${filename}.${process.arch}-${process.versions.v8}`)
  return new Script(readFileSync(filename, 'latin1'), { filename, cachedData }).runInThisContext()
}

/** Node reads the source maps of modules, and of no scripts. */
function compileTraced(filename) {
  const { Module } = process.getBuiltinModule('node:module')
  const module = new Module(filename)
  // oxlint-disable-next-line no-underscore-dangle -- Node names it so
  module._compile(readFileSync(filename, 'latin1').replace('\n', 'module.exports=\n'), filename)
  return module.exports
}

function readCompiled(path) {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function importModule(name) {
  return import(name)
}
