import { createHash } from 'node:crypto'
import * as nodeFs from 'node:fs/promises'
import type { FileSystem } from './file-system.ts'
import { failedWith, outputOperation } from './output-operation.ts'

/** Of a file, in lower-case hexadecimal. Undefined when nothing that could be read stands there. */
export async function readSha256(path: string, fs: FileSystem = nodeFs): Promise<string | undefined> {
  const hash = createHash('sha256')
  return outputOperation(path, 'read', async () => {
    try {
      const handle = await fs.open(path, 'r')
      // The stream closes the handle.
      for await (const chunk of handle.createReadStream()) hash.update(chunk as Uint8Array)
      return hash.digest('hex')
    } catch (thrown) {
      if (failedWith(thrown, 'ENOENT', 'EISDIR')) return undefined
      throw thrown
    }
  })
}
