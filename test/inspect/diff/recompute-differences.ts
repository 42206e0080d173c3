import { queryDuckDb } from '../../formats/query-duckdb.ts'

/** id, field, element, old, new */
export type DifferenceRow = readonly (string | null)[]

/** The differences between two files of products in a stream, by DuckDB: of the fields that `changeProducts` changes. */
export async function recomputeDifferences(old: string, next: string): Promise<DifferenceRow[]> {
  const rows = await queryDuckDb(`
    WITH ${readSide('o', old)}, ${readSide('n', next)}, joined AS (
      SELECT coalesce(o.id, n.id) AS id, o.r AS o, n.r AS n FROM o FULL JOIN n ON o.id = n.id
    ), both_there AS (FROM joined WHERE o IS NOT NULL AND n IS NOT NULL)
    SELECT id, '$', NULL, CASE WHEN o IS NULL THEN NULL ELSE 'record' END, CASE WHEN n IS NULL THEN NULL ELSE 'record' END
      FROM joined WHERE o IS NULL OR n IS NULL
    ${['publicPrice', 'status', 'name.nl', 'name.fr', 'name.de'].map(selectScalar).join('\n')}
    UNION ALL (${selectCodes('o', 'n', 'code, NULL')})
    UNION ALL (${selectCodes('n', 'o', 'NULL, code')})
    UNION ALL (SELECT coalesce(p.id, q.id), CASE WHEN p.photo IS NULL OR q.photo IS NULL THEN 'photos[]' ELSE 'photos[].formats.large' END,
        coalesce(p.photo, q.photo),
        CASE WHEN q.photo IS NULL THEN 'record' ELSE p.url END, CASE WHEN p.photo IS NULL THEN 'record' ELSE q.url END
      FROM (${selectPhotos('o')}) p FULL JOIN (${selectPhotos('n')}) q ON p.id = q.id AND p.photo = q.photo
      WHERE p.url IS DISTINCT FROM q.url)`)
  return rows as DifferenceRow[]
}

function readSide(name: string, path: string): string {
  const lines = `read_json('${path}', format = 'newline_delimited', columns = {meta: 'JSON', result: 'JSON'}, maximum_object_size = 1000000)`
  return `${name} AS (SELECT result->>'$.id' AS id, result AS r FROM ${lines})`
}

function selectScalar(field: string): string {
  const path = `'$.${field}'`
  return `UNION ALL SELECT id, '${field}', NULL, o->>${path}, n->>${path} FROM both_there WHERE (o->>${path}) IS DISTINCT FROM (n->>${path})`
}

/** Codes that one side has more of than the other; codes are in a list once. */
function selectCodes(one: string, other: string, values: string): string {
  return `SELECT id, 'ean[]', 'any', ${values} FROM (${listCodes(one)} EXCEPT ${listCodes(other)})`
}

function listCodes(side: string): string {
  return `SELECT id, unnest(CAST(${side}->'$.ean' AS VARCHAR[])) AS code FROM both_there`
}

function selectPhotos(side: string): string {
  return `SELECT id, photo->>'$.id' AS photo, photo->>'$.formats.large' AS url
    FROM (SELECT id, unnest(CAST(${side}->'$.photos' AS JSON[])) AS photo FROM both_there)`
}

/** Rows in an order of their own; whole records and elements, whose JSON DuckDB writes in another way, by a word. */
export function toComparable(rows: readonly DifferenceRow[]): string[] {
  return rows
    .map(([id, field, element, old, next]) => {
      const isWhole = field === '$' || field === 'photos[]'
      const [before, after] = [old, next].map((value) => (isWhole && value !== null ? 'record' : value))
      return JSON.stringify([id, field, field === 'ean[]' ? 'any' : element, before, after])
    })
    .toSorted()
}
