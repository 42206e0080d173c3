import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CatalogueError } from '../../../src/errors.ts'
import { openTarget } from '../../../src/lake/open-target.ts'
import { toRows } from '../../loads/databases/load-model.ts'
import { startS3 } from '../../storage/s3/start-s3.ts'
import { LakeRig, product } from '../lake-rig.ts'
import { type CatalogServer, startCatalog } from './start-catalog.ts'

let server: CatalogServer
let rig: LakeRig
beforeEach(async () => (server = await startCatalog()))
afterEach(async () => {
  await rig.remove()
  await server.close()
})

const first = [product('A', 'a', ['x']), product('B')]
const second = [product('A', 'a2', ['x', 'y']), product('C')]
const token = 'secret-token-1'
const credential = 'etl:secret-of-client'

test('a token is sent with each request, and stands in no error', async () => {
  server.settings.token = token
  rig = await LakeRig.createInCatalog('merge', { url: server.url, token })
  await rig.night(first)
  expect(new Set(server.headers.slice(1).map(({ authorization }) => authorization))).toEqual(
    new Set([`Bearer ${token}`]),
  )
  expect(JSON.stringify(rig.plan)).not.toContain(token)
  server.settings.token = 'secret-token-2'
  const expired = await rig.fail(second)
  expect([expired.code, expired.message]).toEqual([
    'TARGET_REFUSED',
    `GET ${server.url}/v1/config: expected success, got 401: NotAuthorizedException: Not authorized: ***`,
  ])
  server.settings.token = token
  server.faults.push({ where: 'transactions/commit', how: 400 })
  expect((await rig.fail(second)).message).toBe(
    `POST ${server.url}/v1/transactions/commit: expected success, got 400: CommitStateUnknownException: a fault, with ***`,
  )
})

test('the id and the secret of a client get a token, and a new one if it has expired', async () => {
  server.settings.credential = credential
  rig = await LakeRig.createInCatalog('merge', { url: server.url, credential, scope: 'PRINCIPAL_ROLE:ALL' })
  await rig.load(rig.nextLoad(), toRows(first))
  const asked = server.bodies[server.requests.indexOf('POST /v1/oauth/tokens')] ?? ''
  expect(Object.fromEntries(new URLSearchParams(asked))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'etl',
    client_secret: 'secret-of-client',
    scope: 'PRINCIPAL_ROLE:ALL',
  })
  server.faults.push({ where: 'transactions/commit', how: 401 })
  await rig.load(rig.nextLoad(), toRows(second))
  expect(server.requests.filter((each) => each.endsWith('/oauth/tokens'))).toHaveLength(3)
  server.settings.credential = 'etl:another'
  const error = await rig.fail(first)
  expect([error.code, error.message]).toEqual([
    'TARGET_REFUSED',
    `POST ${server.url}/v1/oauth/tokens: expected success, got 401`,
  ])
})

test('a catalog is asked for its warehouse and by its prefix, and gets the namespaces that it lacks', async () => {
  server.settings.prefix = 'main'
  const { url } = server
  rig = await LakeRig.createInCatalog('merge', { url: `${url}/`, warehouse: 'lake 1', namespace: 'shop.catalogue' })
  await rig.load(rig.nextLoad(), [[], [], []])
  expect(server.requests[0]).toBe('GET /v1/config?warehouse=lake%201')
  expect(server.requests.filter((each) => each === 'POST /v1/main/namespaces')).toHaveLength(2)
  expect(server.requests).toContain('GET /v1/main/namespaces/shop%1Fcatalogue/tables/_catalogue_etl_nightly')
  expect(server.metadataOf('shop.catalogue.products').snapshots).toHaveLength(0)
})

test('a catalog that is busy for a while is asked again, and one that does not answer ends the load', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  server.faults.push({ where: 'GET /v1/config', how: 503 }, { where: 'GET /v1/namespaces', how: 'lost' })
  server.faults.push({ where: 'POST /v1/namespaces/catalogue/tables', how: 'lost', takesEffect: true })
  await rig.night(first)
  server.faults.push({ where: 'GET /v1/config', how: 500, times: Infinity })
  const error = await rig.fail(second)
  expect([error.code, error.message]).toEqual(['TARGET_FAILED', expect.stringContaining('got 500') as string])
})

test('a table in a storage that is not written is refused before the source is read', async () => {
  server.settings.location = 'gs://warehouse'
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  const opened = openTarget(rig.plan, rig.nextLoad())
  const error = (await opened.catch((thrown: unknown) => thrown)) as CatalogueError
  expect([error.code, error.message]).toEqual([
    'OUTPUT_REFUSED',
    expect.stringContaining(
      `${server.url}, catalogue._catalogue_etl_nightly: expected a table in a bucket of S3 or on this machine, as loads write there, got one at gs://warehouse/_catalogue_etl_nightly-`,
    ) as string,
  ])
})

test('data files go to the bucket that the catalog names, with the credentials that it gives', async () => {
  const s3 = await startS3()
  try {
    server.settings.location = 's3a://warehouse/lake'
    const { AWS_ACCESS_KEY_ID: id = '', AWS_SECRET_ACCESS_KEY: secret = '', AWS_ENDPOINT_URL: endpoint = '' } = s3.env
    server.settings.config = {
      's3.access-key-id': id,
      's3.secret-access-key': secret,
      's3.endpoint': endpoint,
      'client.region': 'eu-central-1',
    }
    rig = await LakeRig.createInCatalog('merge', { url: server.url })
    const env = { AWS_ACCESS_KEY_ID: 'of-environment', AWS_SECRET_ACCESS_KEY: 'x', AWS_SESSION_TOKEN: 'x' }
    await rig.load(rig.nextLoad(), toRows(first), { env })
    const { changes } = await rig.load(rig.nextLoad(), toRows(second), { env })
    expect(changes).toMatchObject({ new: 1, changed: 1, removed: 1 })
    expect(server.metadataOf('catalogue.products').snapshots).toHaveLength(2)
    const { headers } = s3
    expect(headers.every(({ authorization = '' }) => authorization.includes(`Credential=${id}/`))).toBe(true)
    expect(headers.some((each) => 'x-amz-security-token' in each)).toBe(false)
    expect((await s3.keys()).filter((key) => key.endsWith('.avro')).length).toBeGreaterThan(0)
    expect(server.headers[1]?.['x-iceberg-access-delegation']).toBe('vended-credentials')
  } finally {
    await s3.close()
  }
})

test('a catalog that is not there ends the load', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: 'http://127.0.0.1:9' })
  const error = await rig.fail(first)
  expect([error.code, error.message]).toEqual([
    'TARGET_FAILED',
    expect.stringContaining('GET http://127.0.0.1:9/v1/config') as string,
  ])
})
