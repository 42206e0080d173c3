import { formOf, schemeOf, spaceOf } from '../../codes/schemes.ts'
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
      const parts = ['cnk', ...barCodePaths].flatMap((path) => selectCodes(records, path))
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

/** Codes in their canonical form, with the space in which they are compared; null for what is no code. */
function selectCodes(records: Records, path: string): string[] {
  const column = records.find(path)
  const scheme = schemeOf(path)
  if (column === null || scheme === null) return []
  const { lengths, shortest } = formOf(scheme)
  const value = path.endsWith('[]') ? `unnest(${column})` : column
  const forms = lengths.map((length) => `WHEN length(digits) <= ${length} THEN lpad(digits, ${length}, '0')`)
  return [
    `SELECT id, ${quoteText(spaceOf(scheme))} AS scheme, CASE WHEN length(digits) < ${shortest} THEN NULL ${forms.join(' ')} END AS code
    FROM (SELECT id, ltrim(regexp_replace(text, '\\D', '', 'g'), '0') AS digits FROM (SELECT ${records.need('id')} AS id, CAST(${value} AS VARCHAR) AS text ${records.from}) WHERE regexp_full_match(text, '\\d+([\\s-]\\d+)*'))`,
  ]
}
