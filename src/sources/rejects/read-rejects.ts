import { CatalogueError, interrupted } from '../../errors.ts'
import { toLocalFile } from '../../storage/to-local-file.ts'
import { BlockCutter } from '../../records/block.ts'
import { readableReject } from '../../manifest/rejects-schema.ts'
import { parseObject } from '../../records/json/json-values.ts'
import { isBlank, linesOf } from '../../records/raw-line.ts'
import type { RejectsFileLine } from '../../records/reject.ts'
import type { RequiredContext } from '../../run-context.ts'
import { openFile, readFileBytes } from '../file-bytes.ts'

export type ReadReject = {
  readonly lineNumber: number
  /** The bytes of the line in the decompressed file. */
  readonly span: { readonly start: number; readonly bytes: number }
} & ({ readonly reject: RejectsFileLine; readonly problem: null } | { readonly reject: null; readonly problem: string })

/** Reads a rejects file line by line, without blank lines. Throws SOURCE_NOT_FOUND, SOURCE_FAILED or INTERRUPTED. */
export async function* readRejects(
  path: string,
  { env, signal }: RequiredContext<'env' | 'signal'>,
): AsyncGenerator<ReadReject> {
  const { localPath, remove } = await toLocalFile(path, env)
  try {
    const bytes = readFileBytes(path, openFile(localPath), signal)
    let lineNumber = 0
    for await (const block of new BlockCutter({ maxLineBytes: longestLine }).cut(bytes)) {
      for (const line of linesOf(block)) {
        lineNumber++
        const span = { start: line.byteOffset, bytes: line.bytes.length }
        if (!isBlank(line)) yield { lineNumber, span, ...parseRejectLine(line.bytes) }
      }
    }
  } catch (error) {
    throw toReadFailure(error, path)
  } finally {
    await remove()
  }
  if (signal.aborted) throw interrupted(`${path}: reading`)
}

/** Far longer than any line of a source with each of its characters escaped. */
const longestLine = 1024 ** 3

function toReadFailure(error: unknown, path: string): unknown {
  const cause = error instanceof CatalogueError ? error.cause : error
  if ((cause as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') return error
  return new CatalogueError('SOURCE_NOT_FOUND', `${path}: expected the rejects file of a run, got no file`, {
    cause: error,
    fix: 'Run the pipeline first: every run leaves one, also one that fails for its rejects.',
  })
}

function parseRejectLine(bytes: Buffer) {
  const value = parseObject(bytes.toString())
  if (value === null) return { reject: null, problem: 'expected one JSON object on the line, got none' }
  const [issue] = readableReject.safeParse(value).error?.issues ?? []
  if (issue === undefined) return { reject: value as unknown as RejectsFileLine, problem: null }
  const member = issue.path[0] as keyof typeof expected
  return { reject: null, problem: `${member}: expected ${expected[member]}, got none` }
}

const expected = {
  source: 'the file or endpoint that the line came from',
  line: 'the number of the line in its source',
  issues: 'the reasons of the reject',
  raw: 'the line as text',
}

/** The raw line of a reject as text; invalid UTF-8 becomes U+FFFD. */
export function toRawLineText(reject: RejectsFileLine): string {
  return 'raw' in reject ? reject.raw : Buffer.from(reject.rawBase64, 'base64').toString()
}
