import { basename, dirname, join, resolve } from 'node:path'
import { CatalogueError } from '../errors.ts'
import type { PublishedManifest } from '../manifest/manifest.ts'
import { toCompanionPath } from '../plan/outputs/companion-path.ts'
import { toRealPath } from '../sources/find-files.ts'
import { isObjectPath } from '../storage/s3/object-path.ts'

/** Throws USAGE if `--to` leads to one of the files, through links of its folder too: what they hold would be lost. */
export async function checkTarget(path: string, files: readonly string[], what: string): Promise<void> {
  const place = await toPlace(path)
  for (const file of files) {
    if (isObjectPath(file) || (await toPlace(file)) !== place) continue
    throw new CatalogueError('USAGE', `--to ${path}: expected another file than ${what}`, {
      fix: 'Give the result a name of its own.',
    })
  }
}

/** Resolves links of the folder only, since writing replaces a link of the file itself. */
async function toPlace(path: string): Promise<string> {
  return join(await toRealPath(dirname(resolve(path))), basename(path))
}

/** Throws USAGE if `--to` would replace a file that a run has read or left, its manifest and what is beside it too. */
export async function checkTargetOfRun(path: string, manifestPath: string, published: PublishedManifest) {
  await checkTarget(path, listFilesOfRun(manifestPath, published), 'those that the run read or saved')
}

export function listFilesOfRun(manifestPath: string, published: PublishedManifest): string[] {
  const { files, sources = [], rejects, profile, report, missingIds, brokenRows, dataPackage } = published
  const named = [rejects, profile, report, missingIds, brokenRows, dataPackage].flatMap((file) => file?.path ?? [])
  const usual = companions.map((name) => toCompanionPath(manifestPath, name))
  return [manifestPath, ...usual, ...named, ...files.map((file) => file.path), ...sources.map(({ name }) => name)]
}

const companions = ['rejects.ndjson', 'runs.ndjson', 'profile.json', 'report.html', 'missing.csv', 'broken.csv']
