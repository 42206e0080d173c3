import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Workbook } from '../../engine/outputs/workbook/write-workbook.ts'
import { writeWholeFile } from '../../engine/whole-file.ts'
import { CatalogueError } from '../../errors.ts'
import type { Column } from '../../records/flatten/column.ts'
import { createFolders } from '../../storage/file-system.ts'
import { outputOperation } from '../../storage/output-operation.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import { renderScorecard } from './render-scorecard.ts'
import { type Scorecard, toScore } from './scorecard.ts'

/** The files for a path: one by its extension, or a page and a workbook in a folder. Throws USAGE for another one. */
export function toScorecardPaths(to: string): string[] {
  if (isObjectPath(to))
    throw new CatalogueError('USAGE', `--to ${to}: expected a file or folder on this machine, got a bucket`)
  if (/\.(?:html|xlsx)$/i.test(to)) return [to]
  if (/\.[a-z]{2,5}$/i.test(to))
    throw new CatalogueError('USAGE', `--to ${to}: expected a folder, or a file that ends in .html or .xlsx`)
  return [join(to, 'scorecard.html'), join(to, 'scorecard.xlsx')]
}

export async function writeScorecard(card: Scorecard, path: string): Promise<void> {
  return /\.html$/i.test(path) ? writePage(card, path) : writeBook(card, path)
}

async function writePage(card: Scorecard, path: string): Promise<void> {
  await outputOperation(path, 'written', () => createFolders(dirname(path), fs))
  await writeWholeFile(path, false, async (file) => file.write(Buffer.from(renderScorecard(card))))
}

async function writeBook({ cells, groups, worst, by }: Scorecard, path: string): Promise<void> {
  const names = cells.map(({ topic, label }) =>
    topic === 'Price and codes' ? label : `${topic.toLowerCase()} ${label}`,
  )
  const summary = [
    toText(by),
    toColumn('products', 'integer'),
    toColumn('complete', 'float'),
    ...names.map((name) => toColumn(name, 'float')),
  ]
  const poor = [...['id', 'cnk', 'name', by].map(toText), toColumn('lacks', 'integer'), toText('missing')]
  const plans = [
    { name: 'summary', columns: summary },
    { name: 'worst products', columns: poor },
  ]
  await Workbook.write(path, plans, async (workbook) => {
    for (const group of groups) {
      const shares = group.filled.map((count) => toShare(count, group.products))
      await workbook.add(0, [group.name, group.products, toShare(toScore([group], cells), 1), ...shares])
    }
    for (const { id, cnk, name, group, missing } of worst)
      await workbook.add(1, [id, cnk, name, group, missing.length, missing.join(', ')])
  })
}

/** With four digits, from 0 to 1. */
function toShare(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 10_000
}

function toColumn(name: string, kind: 'integer' | 'float' | 'text'): Column {
  return { name, type: { kind }, list: false }
}

function toText(name: string): Column {
  return toColumn(name, 'text')
}
