import { dirname, resolve } from 'node:path'
import { problemAt, type Problem } from '../../config/problem.ts'

export interface PathClaim {
  readonly file: string
  /** Name for messages: `the csv output of table "products"`. */
  readonly what: string
  readonly path: Problem['path']
  /** Claims with the same key may share a file: DuckDB outputs with different schemas, tables of one workbook. */
  readonly sharedAs?: string | undefined
}

/** The files of a run. No two may have the same path, and none may be the folder of another. */
export class PathClaims {
  /** The first collision of each path written in the config. */
  readonly problems: Problem[] = []
  readonly #files = new Map<string, PathClaim>()
  readonly #folders = new Map<string, PathClaim>()
  readonly #faulty = new Set<string>()

  add(claim: PathClaim): void {
    const file = resolve(claim.file)
    const folders = listFolders(file)
    const message = this.#findCollision(claim, file, folders)
    if (message === undefined) {
      this.#files.set(file, claim)
      for (const folder of folders) if (!this.#folders.has(folder)) this.#folders.set(folder, claim)
      return
    }
    const written = JSON.stringify(claim.path)
    if (!this.#faulty.has(written)) this.problems.push(problemAt(claim.path, message))
    this.#faulty.add(written)
  }

  #findCollision(
    { file: name, what, path, sharedAs }: PathClaim,
    file: string,
    folders: readonly string[],
  ): string | undefined {
    const same = this.#files.get(file)
    if (same !== undefined && sharedAs !== undefined && same.sharedAs === sharedAs) return undefined
    if (same !== undefined) {
      const isOfOneOutput = JSON.stringify(same.path) === JSON.stringify(path)
      const hint = isOfOneOutput ? 'use {table} in the path' : 'give one of them another path'
      return `${what} and ${same.what} would both be "${name}": ${hint}`
    }
    const inner = this.#folders.get(file)
    if (inner !== undefined) return `${what} would be "${name}", which is the folder of ${inner.what}`
    const outer = folders.map((folder) => this.#files.get(folder)).find((claim) => claim !== undefined)
    return outer && `${what} would be in the folder "${outer.file}", which is ${outer.what}`
  }
}

function listFolders(file: string): string[] {
  const folder = dirname(file)
  return folder === file ? [] : [folder, ...listFolders(folder)]
}
