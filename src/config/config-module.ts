import { createRequire } from 'node:module'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { definePipeline } from './define-pipeline.ts'

const extensions = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'])

/** True for the name of a config that is code. */
export function isModule(file: string): boolean {
  return extensions.has(extname(file))
}

/** The default export of a module, or its `module.exports`; undefined without one. Throws what the module throws. */
export async function importConfigModule(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const path = resolve(file)
  // A config beside no installation, of a global one for instance, has definePipeline all the same.
  const ownPackage = canResolve('catalogue-etl', path) ? {} : { 'catalogue-etl': { definePipeline } }
  // Not cached on disk: there may be a secret in it.
  const jiti = createJiti(import.meta.url, { interopDefault: false, fsCache: false, virtualModules: ownPackage })
  return defaultOf(await jiti.import<object>(pathToFileURL(path).href))
}

function canResolve(name: string, from: string): boolean {
  try {
    createRequire(from).resolve(name)
    return true
  } catch {
    return false
  }
}

function defaultOf(module: object): unknown {
  if ('default' in module) return module.default
  const isEsModule = '__esModule' in module || Object.prototype.toString.call(module) === '[object Module]'
  return isEsModule || Object.keys(module).length === 0 ? undefined : module
}
