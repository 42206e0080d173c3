import { quoteText } from '../../loads/files/sql-text.ts'
import { type LocalizedColumn, type Records } from './catalogue.ts'
import { needImage } from './image-kinds.ts'
import type { Question } from './question.ts'

/** Questions about what products lack. They are asked about active products, if the table says which those are. */
export const missingQuestions: readonly Question[] = [
  {
    name: 'no-packshot-by-brand',
    title: 'how many active products of each brand have no packshot',
    toSql(records) {
      const { sql, join } = records.needFirst('brands[0].name')
      const packshot = needImage(records, 'packshot')
      return `SELECT ${sql} AS brand, count(*) AS products, count(*) FILTER (WHERE NOT (${packshot})) AS without_packshot,
  round(100 * without_packshot / products, 1) AS percent
${records.from}${join}
WHERE ${records.active}
GROUP BY ALL ORDER BY without_packshot DESC, brand`
    },
  },
  {
    name: 'no-packshot',
    title: 'active products without a packshot',
    toSql: (records) => selectProducts(records, `NOT (${needImage(records, 'packshot')})`),
  },
  {
    name: 'no-price',
    title: 'active products without a public price, or with one of zero or less',
    toSql(records) {
      const price = records.need('publicPrice')
      return selectProducts(records, `(${price} IS NULL OR ${price} <= 0)`, [`${price} AS public_price`])
    },
  },
  {
    name: 'no-name',
    title: 'active products without a name in one of the locales, and which',
    toSql(records) {
      const names = records.needLocalized('name').filter(({ locale }) => locale !== '')
      if (names.length === 0) records.throwMissing('name', 'a column of name for each locale')
      return selectProducts(records, listTests(names), [`${listMissing(names)} AS missing`])
    },
  },
  {
    name: 'no-description',
    title: 'active products without a description in one of the locales, and which',
    toSql(records) {
      const texts = findDescriptions(records)
      return selectProducts(records, listTests(texts), [`${listMissing(texts)} AS missing`])
    },
  },
  {
    name: 'no-alt',
    title: 'photos and frontals of active products without an alternative text or a locale',
    toSql(records) {
      const parts = ['photos[]', 'frontals[]'].flatMap((each) => selectImages(records, each))
      if (parts.length === 0) records.throwMissing('photos[]', 'a table of photos[] with name and locales')
      return `${parts.join('\nUNION ALL\n')}\nORDER BY id, list, position`
    },
  },
  {
    name: 'no-successor',
    title: 'replaced products without a successor, or with one that is not in the table',
    toSql(records) {
      const [status, successor, id] = [records.need('status'), records.need('replacement'), records.need('id')]
      const known = `SELECT ${id} ${records.from}`
      const { cells, join } = records.identity()
      return `SELECT ${[...cells, `${successor} AS replacement`].join(', ')},
  CASE WHEN ${successor} IS NULL THEN 'none is named' ELSE 'it is not in the table' END AS why
${records.from}${join}
WHERE ${status} = 'replaced' AND (${successor} IS NULL OR ${successor} NOT IN (${known}))
ORDER BY id`
    },
  },
]

/** Products that meet a test, by what a person knows them by. */
export function selectProducts(records: Records, where: string, further: readonly string[] = []): string {
  const { cells, join } = records.identity()
  return `SELECT ${[...cells, ...further].join(', ')}
${records.from}${join}
WHERE ${records.active} AND ${where}
ORDER BY id`
}

function listTests(columns: readonly LocalizedColumn[]): string {
  return `(${columns.map(({ sql }) => `${sql} IS NULL`).join(' OR ')})`
}

function listMissing(columns: readonly LocalizedColumn[]): string {
  const cells = columns.map(({ locale, sql }) => `CASE WHEN ${sql} IS NULL THEN ${quoteText(locale)} END`)
  return `concat_ws(', ', ${cells.join(', ')})`
}

/** For each locale SQL that is null for a product without a description in it. */
export function findDescriptions(records: Records): LocalizedColumn[] {
  const child = records.child('descriptions[]')
  const id = records.need('id')
  const texts = child?.localized('content').filter(({ locale }) => locale !== '') ?? []
  if (child === null || texts.length === 0)
    return records.throwMissing('descriptions[]', 'a table of descriptions[] with content for each locale')
  return texts.map(({ locale, sql }) => {
    const found = `${id} IN (SELECT ${child.key} FROM ${child.from} WHERE ${sql} IS NOT NULL)`
    return { locale, sql: `nullif(${found}, false)` }
  })
}

function selectImages(records: Records, each: string): string[] {
  const images = records.child(each)
  const id = records.need('id')
  const locales = images?.find('locales[]') ?? null
  const names = images?.localized('name') ?? []
  if (images === null || images.position === null || locales === null || names.length === 0) return []
  const noText = names.map(({ sql }) => `i.${sql} IS NULL`).join(' AND ')
  const noLocale = `(i.${locales} IS NULL OR len(i.${locales}) = 0)`
  return [
    `SELECT ${id} AS id, ${quoteText(each.replace('[]', ''))} AS list, i.${images.position} AS position,
  concat_ws(', ', CASE WHEN ${noText} THEN 'text' END, CASE WHEN ${noLocale} THEN 'locale' END) AS missing
${records.from} JOIN ${images.from} i ON i.${images.key} = ${id}
WHERE ${records.active} AND ((${noText}) OR ${noLocale})`,
  ]
}
