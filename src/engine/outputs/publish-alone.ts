import { toFinishedFile } from '../../publish/publication.ts'
import type { StagedFile } from '../../publish/staged-file.ts'
import type { FileStorage } from '../../publish/file-storage.ts'

/** Finishes one file and publishes it beside everything that is published; `home` is the path of the pipeline's manifest. */
export async function publishAlone(staged: StagedFile, home: string, storage: FileStorage): Promise<void> {
  const { sha256 } = await staged.finish()
  await storage.publish({ files: [], manifest: toFinishedFile(staged, sha256), home, removals: [] })
}
