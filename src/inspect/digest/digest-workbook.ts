import { Workbook } from '../../engine/outputs/workbook/write-workbook.ts'
import type { Cell, Column, Row } from '../../records/flatten/column.ts'
import { type ColumnType, compileConversion } from '../../types/column-types.ts'
import { kindTitles } from './digest-groups.ts'
import type { Digest, DigestEntry, EntryKind } from './digest-schema.ts'

/** Writes a digest as a workbook with a sheet for prices, new, withdrawn and replaced products. Only the file is written. */
export async function writeDigestWorkbook(path: string, digest: Digest): Promise<void> {
  const plans = sheets.map(({ name, own }) => ({ name, columns: [...shared, ...own(digest).columns] }))
  await Workbook.write(path, plans, async (workbook) => {
    for (const [at, { kinds, own }] of sheets.entries()) {
      const { cells } = own(digest)
      for (const entry of digest.entries.filter(({ kind }) => kinds.includes(kind)))
        await workbook.add(at, [entry.brand, entry.id, entry.code, entry.name, kindTitles[entry.kind], ...cells(entry)])
    }
  })
}

interface OwnColumns {
  readonly columns: readonly Column[]
  readonly cells: (entry: DigestEntry) => Row
}

interface Sheet {
  readonly name: string
  readonly kinds: readonly EntryKind[]
  readonly own: (digest: Digest) => OwnColumns
}

const shared = ['brand', 'id', 'code', 'name', 'change'].map((name) => toColumn(name))

const sheets: readonly Sheet[] = [
  { name: 'prices', kinds: ['up', 'down', 'priced', 'unpriced'], own: listPrices },
  { name: 'new', kinds: ['new', 'back'], own: listStatus },
  { name: 'withdrawn', kinds: ['gone', 'withdrawn'], own: listStatus },
  { name: 'replaced', kinds: ['replaced'], own: listSuccessors },
]

function listPrices({ entries }: Digest): OwnColumns {
  const digits = entries.flatMap(({ price }) =>
    [price?.old, price?.new].map((text) => text?.split('.')[1]?.length ?? 0),
  )
  const price: ColumnType = {
    kind: 'decimal',
    precision: 38,
    scale: digits.reduce((most, each) => Math.max(most, each), 0),
  }
  const [toPrice, toPercent] = [compileNumber(price), compileNumber(percent)]
  return {
    columns: [
      toColumn('price'),
      ...['old', 'new', 'amount'].map((name) => toColumn(name, price)),
      toColumn('percent', percent),
    ],
    cells: (entry) => {
      const { column = null, old = null, new: next = null, amount = null, percent: share = null } = entry.price ?? {}
      return [column, ...[old, next, amount].map(toPrice), toPercent(share)]
    },
  }
}

const percent: ColumnType = { kind: 'decimal', precision: 38, scale: 2 }

function compileNumber(type: ColumnType): (text: string | null) => Cell {
  const convert = compileConversion('text', type, 0)
  return (text) => (text === null ? null : (convert(text) ?? null))
}

function listStatus(): OwnColumns {
  return { columns: [toColumn('status')], cells: ({ status }) => [status] }
}

function listSuccessors(): OwnColumns {
  return {
    columns: ['successor', 'successor_code', 'successor_name', 'successor_status', 'explanation'].map((name) =>
      toColumn(name),
    ),
    cells: ({ successor }) => [
      successor?.id ?? null,
      successor?.code ?? null,
      successor?.name ?? null,
      successor?.status ?? null,
      successor?.text ?? null,
    ],
  }
}

function toColumn(name: string, type: ColumnType = { kind: 'text' }): Column {
  return { name, type, list: false }
}
