import { splitOutputPath } from '../loads/files/part-paths.ts'
import { addsFiles, type FilePlan } from '../plan/outputs/file-plan.ts'

/** The paths of the files that runs publish for one file of a plan. */
export interface PublishedPaths {
  /** The path of the only file; null if there may be several. */
  readonly path: string | null
  /** A beginning that the paths of all files share, and no other path. */
  readonly prefix: string
  /** A glob that matches the paths of all files; `*` matches anything but `/`. */
  readonly pattern: string
}

export function toPublishedPaths(file: FilePlan): PublishedPaths {
  const { path, mode, partitionBy, rowsPerFile, bytesPerFile } = file
  const { folder, stem, ending } = splitOutputPath(path)
  const levels = [...(addsFiles(mode) ? ['run_date'] : []), ...partitionBy]
  if (levels.length === 0 && rowsPerFile === null && bytesPerFile === null) return { path, prefix: path, pattern: path }
  return {
    path: null,
    prefix: levels.length > 0 ? `${folder}${levels[0]}=` : `${folder}${stem}-`,
    pattern: `${folder}${levels.map((level) => `${level}=*/`).join('')}${stem}*${ending}`,
  }
}
