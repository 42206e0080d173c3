import { quoteText } from '../../loads/files/sql-text.ts'
import type { Records } from './catalogue.ts'
import { selectProducts } from './missing-questions.ts'
import type { Question } from './question.ts'

export const codeQuestions: readonly Question[] = [
  {
    name: 'no-code',
    title: 'active products with neither a CNK nor a bar code',
    toSql(records) {
      const codes = [records.need('cnk'), ...barCodes(records)]
      return selectProducts(records, codes.map((code) => `${code} IS NULL`).join(' AND '))
    },
  },
  {
    name: 'shared-codes',
    title: 'codes that several products have',
    toSql(records) {
      const id = records.need('id')
      const parts = [
        ...selectCodes(records, 'cnk', 'cnk', 7),
        ...barCodePaths.flatMap((path) => selectCodes(records, path, 'gtin', 14)),
      ]
      if (parts.length === 0) records.throwMissing('cnk', 'a column made from cnk, ean[] or gtin')
      const name = records.anyLocale('name')
      const names = name === null ? '' : `,\n  string_agg(DISTINCT name, ' | ' ORDER BY name) AS names`
      return `WITH codes AS (
${parts.map((part) => `  ${part}`).join('\n  UNION ALL\n')}
)
SELECT scheme, code, count(DISTINCT codes.id) AS products, string_agg(DISTINCT codes.id, ', ' ORDER BY codes.id) AS ids${names}
FROM codes JOIN (SELECT ${id} AS id${name === null ? '' : `, ${name} AS name`} ${records.from}) named ON named.id = codes.id
WHERE code IS NOT NULL
GROUP BY scheme, code HAVING products > 1
ORDER BY products DESC, scheme, code`
    },
  },
]

const barCodePaths = ['ean[]', 'ean', 'gtin', 'eanGtin8', 'eanGtin12', 'eanGtin13', 'eanGtin14'] as const

export function barCodes(records: Records): string[] {
  return barCodePaths.flatMap((path) => {
    const column = records.find(path)
    if (column === null) return []
    return path === 'ean[]' ? [`nullif(${column}, [])`] : [column]
  })
}

/** Codes in one form: with all zeros on the left. */
function selectCodes(records: Records, path: string, scheme: string, digits: number): string[] {
  const column = records.find(path)
  if (column === null) return []
  const value = path.endsWith('[]') ? `unnest(${column})` : column
  const text = `CAST(${value} AS VARCHAR)`
  return [
    `SELECT id, ${quoteText(scheme)} AS scheme, CASE WHEN regexp_full_match(text, '\\d{1,${digits}}') THEN lpad(text, ${digits}, '0') ELSE text END AS code
    FROM (SELECT ${records.need('id')} AS id, ${text} AS text ${records.from})`,
  ]
}
