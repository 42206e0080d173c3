import { existsSync } from 'node:fs'
import { CatalogueError } from '../../errors.ts'
import { millisecondsIn } from '../../config/schemas/number-shapes.ts'
import { recognizeSide, type RunSide } from '../diff/recognize-side.ts'
import { withObjects } from '../../storage/s3/with-objects.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import { readTime } from '../../records/conditions/time-span.ts'
import type { RequiredContext } from '../../run-context.ts'

/** Where a span begins: at a time, behind a run, or with a copied run in a folder. */
export type Since =
  | { readonly kind: 'time'; readonly at: Date }
  | { readonly kind: 'run'; readonly run: string }
  | { readonly kind: 'folder'; readonly side: RunSide }

/** Reads `7d`, `2026-01-31`, `2026-01-31T06:00:00+01:00`, a run by the beginning of its name, or a folder. Throws USAGE for anything else. */
export async function parseSince(text: string, { env, now }: RequiredContext<'env' | 'now'>): Promise<Since> {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(s|m|h|d|w)$/.exec(text) ?? []
  if (number !== undefined && unit !== undefined) {
    const ms = Number(number) * (unit === 'w' ? 7 * millisecondsIn.d : millisecondsIn[unit as 's' | 'm' | 'h' | 'd'])
    return { kind: 'time', at: checkPast(text, now() - ms, now()) }
  }
  const time = readTime(text, 'UTC')
  if (time !== undefined) return { kind: 'time', at: checkPast(text, time.from, now()) }
  if (isObjectPath(text) || existsSync(text)) {
    const side = await withObjects(env, (objects) => recognizeSide(text, undefined, objects))
    if (side.kind === 'run') return { kind: 'folder', side }
  }
  if (/^[\da-f]{6,}$/.test(text)) return { kind: 'run', run: text }
  throw new CatalogueError(
    'USAGE',
    `--since ${text}: expected a span, a time, a run or the folder of one, got none of them`,
    {
      fix: 'Write `7d` or `24h`, a day such as `2026-01-31` (from midnight UTC), a time with its zone, the value of `_run` in files of changes, or the folder of a copied run.',
    },
  )
}

/** A digest that begins later than now, or before there were clocks, would say that nothing changed, or all of it. */
function checkPast(text: string, at: number, now: number): Date {
  const date = new Date(at)
  if (at <= now && date.getTime() >= 0) return date
  const got = at > now ? `${date.toISOString()}, which is yet to come` : 'one before 1970'
  throw new CatalogueError('USAGE', `--since ${text}: expected a time in the past, got ${got}`)
}
