import * as fs from 'node:fs/promises'
import { basename } from 'node:path'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { failedWith } from '../../publish/output-operation.ts'
import { journalPathFor, readJournal } from '../../publish/publication-journal.ts'
import { recoverPublication } from '../../publish/recover-publication.ts'
import { parseStagingName } from '../../publish/staging-names.ts'
import { readLanding, toLandingManifestPath, type Landing } from '../../sources/landing-manifest.ts'
import { activeTokens } from '../active-tokens.ts'

/**
 * What the manifest beside a source file says, where `fetch` landed it; null for any other file. Of a fetch that was
 * killed while it put both in place, finishes or undoes that first. Throws CONFIG_INVALID where the file holds records
 * of another contract, SOURCE_CHANGED while a fetch puts them in place.
 */
export async function openLanding(
  file: string,
  plan: Pick<PipelinePlan, 'name' | 'contract'>,
): Promise<Landing | null> {
  await finishOrUndo(file)
  const landing = await readLanding(file)
  if (landing === null || landing.contract.name === plan.contract) return landing
  const got = `${file}, which holds ${landing.contract.name} from ${landing.endpoint}`
  throw new CatalogueError('CONFIG_INVALID', `${plan.name}: expected files of ${plan.contract}, got ${got}`)
}

async function finishOrUndo(file: string): Promise<void> {
  const journalPath = journalPathFor(toLandingManifestPath(file))
  try {
    if (await isPublishedHere(journalPath))
      throw new CatalogueError('SOURCE_CHANGED', 'a fetch of this process that does just that')
    await recoverPublication(journalPath)
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    // Nothing can be beside a file whose own name is nearly too long.
    if (failedWith(error.cause, 'ENAMETOOLONG')) return
    const message = `${file}: expected a file that nobody puts in place right now, got: ${error.message}`
    throw new CatalogueError('SOURCE_CHANGED', message, { cause: error })
  }
}

/** Whether a fetch of this process is at it right now; recovery takes care of other processes only. */
async function isPublishedHere(journalPath: string): Promise<boolean> {
  const journal = await readJournal(journalPath, fs)
  const owners = journal?.entries.map(({ staging, destination }) => parseStagingName(basename(staging), destination))
  return owners?.some((owner) => owner?.pid === process.pid && activeTokens.has(owner.token)) ?? false
}
