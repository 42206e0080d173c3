/** A generated stream of v4 products. */
export interface BenchInput {
  /** The file, or a pattern that names all of them. */
  readonly path: string
  readonly records: number
  /** Before compression. */
  readonly bytes: number
}

export interface InputSize {
  /** The number of products. */
  readonly records: number
  /** The number of gz files that they come in; undefined for one plain file. */
  readonly gzFiles?: number | undefined
  /** True for products of an id and a number, generated ones otherwise. */
  readonly areShort?: boolean | undefined
}

/** More than any generated line. */
export const longestLineBytes = 256 * 1024
