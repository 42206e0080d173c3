import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isDeep, isFull } from '../../depth.ts'
import { LakeRig, product } from '../lake-rig.ts'
import { changeBySpark, findDisagreeing } from '../readers/other-readers.ts'
import { query } from '../readers/read-delta.ts'

/** CATALOGUE_CATALOG_JARS is a folder with the dependencies of `server.pom.xml`, Apache Iceberg's own REST catalog. */
const { CATALOGUE_CATALOG_JARS = '', CATALOGUE_LAKE_JARS = '' } = process.env
const timeoutMs = 600_000

const nights = [
  [product('A', 'a', ['x'], 1767323045006), product('B'), product('C', 'c', ['y', 'z'])],
  [product('A', 'a2', ['x']), product('C', 'c', ['y', 'z']), product('D')],
  [product('A', 'a2', ['x']), product('B', 'b2'), product('D')],
  [product('A', 'a3'), product('B', 'b2'), product('D'), product('E', 'e', ['x'])],
]

describe.skipIf(!isDeep || CATALOGUE_CATALOG_JARS === '')("Apache Iceberg's own REST catalog", () => {
  let folder: string
  let url: string
  let server: ChildProcess
  let rig: LakeRig
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-server-'))
    const port = await findPort()
    url = `http://127.0.0.1:${port}`
    server = spawn('java', ['-cp', `${CATALOGUE_CATALOG_JARS}/*`, 'org.apache.iceberg.rest.RESTCatalogServer'], {
      env: {
        ...process.env,
        CATALOG_REST_PORT: String(port),
        CATALOG_URI: `jdbc:sqlite:${join(folder, 'catalog.db')}`,
        CATALOG_WAREHOUSE: `file://${join(folder, 'warehouse')}`,
      },
      stdio: 'ignore',
    })
    await waitFor(`${url}/v1/config`)
  }, timeoutMs)
  afterAll(async () => {
    if (server.exitCode === null) {
      server.kill()
      await once(server, 'exit')
    }
    await rm(folder, { recursive: true })
  })
  afterEach(async () => {
    await rig.remove()
    for (const name of ['products', 'product_photos', '_catalogue_etl_nightly'])
      await fetch(`${url}/v1/namespaces/catalogue/tables/${name}`, { method: 'DELETE' })
  })

  test.each(['merge', 'history', 'append', 'snapshot'] as const)(
    'takes each load of mode %s, and other engines read the rows of the model in it',
    async (mode) => {
      rig = await LakeRig.createInCatalog(mode, { url })
      for (const records of nights) await rig.night(records)
      const columns = mode === 'append' ? ['id', 'name', 'photos', 'run_id'] : ['id', 'name', 'photos']
      expect(findDisagreeing([{ lake: `${url}, catalogue.products`, file: await copyRows(), columns }])).toEqual([])
    },
    timeoutMs,
  )

  test(
    'takes lists of deleted rows, which other engines keep to',
    async () => {
      rig = await LakeRig.createInCatalog('merge', { url }, 'vectors')
      const many = Array.from({ length: 40 }, (_, at) => product(`P${at}`))
      await rig.night(many)
      const changed = [...many.slice(1), product('A', 'a', ['x'])]
      await rig.night(changed)
      const file = join(rig.folder, 'expected.parquet')
      const values = changed.map(({ id, name }) => `('${id}', '${name}')`).join(', ')
      await query(`COPY (FROM (VALUES ${values}) t(id, name)) TO '${file}' (FORMAT parquet)`)
      const lake = `${url}, catalogue.products`
      expect(findDisagreeing([{ lake, file, columns: ['id', 'name'] }])).toEqual([])
    },
    timeoutMs,
  )

  test.skipIf(!isFull || !CATALOGUE_LAKE_JARS.includes('iceberg-spark')).each([
    { mode: 'merge', changes: ['delete', 'optimize'] },
    { mode: 'history', changes: ['append', 'update'] },
  ] as const)(
    "lets Spark's $changes into a table of mode $mode between the nights, which do no harm",
    async ({ mode, changes }) => {
      rig = await LakeRig.createInCatalog(mode, { url })
      for (const [night, how] of changes.entries()) {
        await rig.night(nights[night] ?? [])
        const rows = await query(`SELECT id, name FROM '${await copyRows()}' ORDER BY ALL`)
        expect(changeBySpark('iceberg', how, `${url}, catalogue.products`)).toEqual(rows)
      }
      await rig.night(nights[changes.length] ?? [])
      await rig.night(nights[0] ?? [])
    },
    timeoutMs,
  )

  /** The rows of the data files, as a file. */
  async function copyRows(): Promise<string> {
    const paths = (await rig.readInCatalog()).files.map(({ path }) => `'${path}'`).join(', ')
    const file = join(rig.folder, 'expected.parquet')
    await query(`COPY (FROM read_parquet([${paths}], union_by_name = true)) TO '${file}' (FORMAT parquet)`)
    return file
  }
})

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function waitFor(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok === true) return
    await sleep(100)
  }
  throw new Error(`${url}: expected an answer within a minute, got none`)
}
