import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { cases } from '../../depth.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
afterEach(() => folder.remove())

const tables = { duplicates: { builtin: 'duplicates' } } as const
const outputs = [{ format: 'parquet', path: 'out/{table}.parquet' } as const]

/** Products of few names, brands and photos, so that many share some, written in different ways. */
function writeProducts(count: number, seed: number): string {
  let state = seed
  const next = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  const write = (text: string): string => [text, text.toUpperCase(), ` ${text.replace(' ', '  ')}`][next(3)] ?? text
  const lines = Array.from({ length: count }, (_, at) => {
    const names = { nl: write(`zalf ${next(count)}`), ...(next(2) === 0 && { fr: write(`creme ${next(count)}`) }) }
    const cnk = 1_000_000 + next(count * 3)
    const brands = [[], [{ id: 1 }], [{ id: 2 }], [{ id: 2 }, { id: 1 }], [{ id: '1' }, { id: 2 }]][next(5)]
    const packageContent = [null, write('50 g'), '100 ml'][next(3)]
    const photos = next(2) === 0 ? [{ id: next(count * 3) }, { id: next(count * 3) }] : undefined
    return JSON.stringify({ id: `P${at}`, status: 'active', cnk, name: names, brands, packageContent, photos })
  })
  return lines.map((line) => `${line}\n`).join('')
}

/** The members of each group, told anew: each set of products that shares something, once for each reason. */
const oracle = (file: string) => `
with lines as (select row_number() over () as line, json as record, json->>'id' as id from read_ndjson_objects('${file}')),
shared as (
  select line, id, 'code' as reason, record->>'cnk' as what from lines
  union all
  select line, id, 'picture', p->>'id' from (select line, id, unnest((record->'photos')::json[]) as p from lines)
  union all
  select line, id, 'name', concat_ws('/', lang,
    lower(trim(regexp_replace(record->'name'->>lang, '\\s+', ' ', 'g'))), list_sort((record->>'$.brands[*].id')::int[])::text,
    coalesce(lower(trim(regexp_replace(record->>'packageContent', '\\s+', ' ', 'g'))), ''))
  from lines, (values ('nl'), ('fr')) langs(lang)
  where record->'name'->>lang is not null and json_array_length(record->'brands') > 0),
groups as (select reason, what, list(distinct id order by id) as members from shared group by all having count(distinct id) > 1)
select distinct reason, members from groups order by all`

describe('a table with builtin: duplicates', () => {
  it('has the groups that DuckDB finds in the lines themselves, each once', async () => {
    folder = await RunFolder.create()
    for (let seed = 1; seed <= cases(20, 2); seed++) {
      const file = await folder.write('input.ndjson', writeProducts(200, seed))
      await folder.run({ tables, outputs })
      const published = `'${join(folder.out, 'duplicates.parquet')}'`
      const groups = await queryDuckDb(
        `select reason, list(product_id order by product_id) from ${published} group by group_id, reason order by all`,
      )
      expect(groups).toEqual(await queryDuckDb(oracle(file)))
      expect(new Set(groups.map(([reason]) => reason))).toEqual(new Set(['code', 'name', 'picture']))
      const wrong = `from ${published} group by group_id having count(*) <> any_value(product_count)`
      expect(await queryDuckDb(`select group_id ${wrong}`)).toEqual([])
    }
  })

  it('says what the products share', async () => {
    folder = await RunFolder.create()
    const records = [
      {
        id: 'A1',
        status: 'active',
        cnk: 123_456,
        ean: ['4006381333931'],
        name: { nl: 'Zalf', fr: 'Creme' },
        brands: [{ id: 5 }],
      },
      {
        id: 'A2',
        status: 'inactive',
        cnk: '0123456',
        eanGtin13: 4_006_381_333_931,
        name: { nl: ' ZALF ' },
        brands: [{ id: 5 }],
      },
      { id: 'A3', cnk: 'null', ean: '1', name: { nl: 'zalf' }, brands: [] },
      { id: 'A4', cnk: 'null', ean: '1', name: null },
    ]
    await folder.write('input.ndjson', records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    await folder.run({ tables, outputs: [{ format: 'csv', path: 'out/{table}.csv' }] })
    expect(await folder.readOut('duplicates.csv')).toBe(
      [
        'product_id,position,group_id,reason,shared,product_count,status',
        'A1,1,1,code,cnk 0123456 | gtin 04006381333931,2,active',
        'A2,1,1,code,cnk 0123456 | gtin 04006381333931,2,inactive',
        'A1,2,2,name,"nl: zalf, brand 5",2,active',
        'A2,2,2,name,"nl: zalf, brand 5",2,inactive',
        '',
      ].join('\n'),
    )
  })
})
