import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Calls `use` with the path of a file that holds `bytes`, and removes it afterwards. */
export async function withScratchFile<Result>(
  bytes: Uint8Array,
  use: (path: string) => Promise<Result> | Result,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'sinks-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
