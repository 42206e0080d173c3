import { CatalogueError } from '../../errors.ts'

/**
 * What DuckDB fails with: OUTPUT_FAILED where the disk or the memory is full, STATE_INVALID where a file of earlier runs
 * is missing or damaged. Whatever else it is comes back as it is.
 */
export async function toMergeError(
  thrown: unknown,
  { tempFolder, baselineFiles }: { readonly tempFolder: string; readonly baselineFiles: readonly string[] },
  isReadable: (file: string) => Promise<boolean>,
): Promise<unknown> {
  if (thrown instanceof CatalogueError || !(thrown instanceof Error)) return thrown
  const [message = ''] = thrown.message.split('\n')
  if (/no space left|failed to offload|max_temp_directory_size/i.test(thrown.message))
    return outOfRoom(`${tempFolder}: expected room for what is sorted there: ${message}`, thrown)
  if (/^out of memory/i.test(message))
    return outOfRoom(`merge: expected rows that fit into its memory: ${message}`, thrown)
  const file = baselineFiles.find((path) => message.includes(path)) ?? (await findUnreadable(baselineFiles, isReadable))
  return file === undefined ? thrown : damagedBaseline(file, message, thrown)
}

/** What DuckDB says of damaged pages does not name the file. */
async function findUnreadable(
  files: readonly string[],
  isReadable: (file: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const file of files) if (!(await isReadable(file))) return file
  return undefined
}

function outOfRoom(message: string, cause: Error): CatalogueError {
  return new CatalogueError('OUTPUT_FAILED', message, { cause })
}

/** STATE_INVALID, for a file of earlier runs that can't be what the next one is based on. */
export function damagedBaseline(file: string, what: string, cause?: unknown): CatalogueError {
  return new CatalogueError('STATE_INVALID', `${file}: the file that earlier runs left is not as expected: ${what}`, {
    cause,
    fix: 'Put the file back, or start anew with `catalogue-etl state reset CONFIG`: the next run then reads everything.',
  })
}
