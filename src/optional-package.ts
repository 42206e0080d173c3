import { createRequire } from 'node:module'

/**
 * Loads an optional package that is installed beside this one, or one that such a package brings. Throws what Node throws if
 * there is none. Not imported: that takes up to 0.2 s of CPU more for CommonJS, and bundlers would look for it.
 */
export function requireOptional(name: string, broughtBy?: string): unknown {
  const require = createRequire(import.meta.url)
  return (broughtBy === undefined ? require : createRequire(require.resolve(broughtBy)))(name)
}
