import { addsFiles, type FilePlan } from '../../plan/outputs/file-plan.ts'
import { resolve } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { FormerFiles } from '../../manifest/former-run.ts'

/**
 * Throws TARGET_MISMATCH if an output would replace a history, or share its path with files of another mode: no later
 * read restores these. A history may replace a merge.
 */
export async function checkModes(
  records: RecordsPlan,
  { files, stateful }: OutputsPlan,
  { files: published, left, isReset }: Pick<FormerFiles, 'files' | 'left' | 'isReset'>,
  storage: Pick<FileStorage, 'sizeOf'>,
): Promise<void> {
  if (isReset) return
  const planned = new Map(files.map((plan) => [resolve(plan.path), plan]))
  for (const { path, table, mode, base } of [...published, ...left]) {
    const plan = mode && base ? planned.get(resolve(base)) : undefined
    if (mode === undefined || plan === undefined) continue
    const tableNow = records.tables[plan.table]?.name
    const isSameTable = table === tableNow || (mode !== 'history' && !addsFiles(mode))
    if ((isSameTable && fits(mode, plan.mode)) || (await storage.sizeOf(path)) === null) continue
    const now = stateful === null ? 'has no `mode`' : `says \`${plan.mode}\``
    const difference = isSameTable
      ? `these files were written with \`mode: ${mode}\`; this config ${now}`
      : `these files hold table "${table}" with \`mode: ${mode}\`; this config puts table "${tableNow}" there`
    throw new CatalogueError('TARGET_MISMATCH', `${plan.path}: ${difference}`, {
      title: 'An output does not fit the files that are there',
      fix: `Use another path, or ${isSameTable ? 'change the mode back' : 'give the table its name back'}: the files then stay as they are. Or move them away, if nobody needs them.`,
    })
  }
}

type Mode = FilePlan['mode']

function fits(before: Mode, now: Mode): boolean {
  if (before === 'history' || addsFiles(before)) return now === before
  return !addsFiles(now)
}
