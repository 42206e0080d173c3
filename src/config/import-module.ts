import { createRequire, register } from 'node:module'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CatalogueError } from '../errors.ts'
import { requireOptional } from '../optional-package.ts'
import { definePipeline } from './define-pipeline.ts'

/**
 * Imports a module of others, in JavaScript or TypeScript: by the package jiti if it is installed, else as Node does. Throws
 * CONFIG_UNREADABLE if it is in TypeScript, and nothing here runs that, and what the module throws.
 */
export async function importModule(file: string): Promise<object> {
  const path = resolve(file)
  const { href } = pathToFileURL(path)
  const jiti = loadJiti()
  // A config beside no installation, of a global one for instance, has definePipeline all the same.
  const isAlone = !canResolve('catalogue-etl', path)
  if (jiti === null) return importByNode(file, href, isAlone)
  const virtualModules = isAlone ? { 'catalogue-etl': { definePipeline } } : {}
  // Not cached on disk: there may be a secret in it.
  return jiti.createJiti(import.meta.url, { interopDefault: false, fsCache: false, virtualModules }).import(href)
}

async function importByNode(file: string, href: string, isAlone: boolean): Promise<object> {
  if (/^\.[mc]?ts$/.test(extname(file)) && !('typescript' in process.features && process.features.typescript)) {
    const message = `${file}: expected a Node that runs TypeScript, or the package jiti, got ${process.version} without it: npm install jiti, or use Node 22.18 or newer`
    throw new CatalogueError('CONFIG_UNREADABLE', message)
  }
  if (isAlone) register(toDataUrl(resolveOwn))
  return (await import(href)) as object
}

const resolveOwn = `export const resolve = (name, context, next) => name === 'catalogue-etl'
  ? { url: ${JSON.stringify(toDataUrl('export const definePipeline = (config) => config'))}, shortCircuit: true }
  : next(name, context)`

function toDataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`
}

function loadJiti(): typeof import('jiti') | null {
  try {
    return requireOptional('jiti') as typeof import('jiti')
  } catch {
    return null
  }
}

function canResolve(name: string, from: string): boolean {
  try {
    createRequire(from).resolve(name)
    return true
  } catch {
    return false
  }
}
