import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/* A file of the bundle as it is. */

/** Runs a script, with the code that V8 of this version has compiled of it before, if that is there. */
export function loadScript(url) {
  const filename = fileURLToPath(url)
  const cachedData = readCompiled(`${filename}.${process.arch}-${process.versions.v8}`)
  return new Script(readFileSync(filename, 'latin1'), { filename, cachedData }).runInThisContext()
}

function readCompiled(path) {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
