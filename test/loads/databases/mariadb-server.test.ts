import { expect, test } from 'vitest'
import { skipsMariadb, startMariadb } from './mariadb-server.ts'

test.skipIf(skipsMariadb)('the client of MariaDB reads what it wrote, sign by sign', async () => {
  const server = await startMariadb()
  await server.query('CREATE TABLE t (a longtext, b longtext, c bigint)')
  await server.query(`INSERT INTO t VALUES (NULL, '', -9223372036854775807), ('<&>"', 'NULL\n\té\\\\', NULL)`)
  expect(await server.query('SELECT * FROM t')).toEqual([
    [null, '', '-9223372036854775807'],
    ['<&>"', 'NULL\n\té\\', null],
  ])
})
