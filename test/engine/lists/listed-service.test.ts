import { afterAll, beforeAll, expect, test } from 'vitest'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { fetchPipeline } from '../../../src/engine/fetch/fetch-pipeline.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { toShownSource } from '../../../src/cli/render/render-source.ts'
import type { ServiceSourcePlan } from '../../../src/plan/source/source-plan.ts'
import { RunFolder } from '../run-folder.ts'

let sandbox: Sandbox
let folder: RunFolder

beforeAll(async () => {
  sandbox = await startSandbox({ products: 1500, rateLimit: false })
  folder = await RunFolder.create()
})
afterAll(async () => {
  await sandbox.close()
  await folder.remove()
})

function source(filter?: Record<string, unknown>) {
  const { baseUrl, keyId, keySecret } = sandbox
  const endpoint = 'v4/products/stream' as const
  return { baseUrl, keyId, keySecret, endpoint, ...(filter && { filter }) }
}

test('the service is asked for each key of a list on its own, and a product that both bring comes once', async () => {
  const tables = { products: { columns: ['id', 'cnk', 'status'] } }
  const everything = { files: undefined, contract: undefined, ...source() }
  await folder.run({ source: everything, tables })
  const all = (await folder.readOut('products.csv'))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','))
  const active = all.filter(([, cnk, status]) => cnk !== '' && status === 'active')
  const single = active.filter(([, cnk]) => all.filter((other) => other[1] === cnk).length === 1)
  const inactive = all.find(([, , status]) => status === 'inactive')
  const lines = single.slice(0, 1100).map(([id, cnk], at) => (at % 2 === 0 ? `${cnk};` : `${cnk};${id}`))
  const file = await folder.write('list.csv', ['cnk;id', ...lines, `;${inactive?.[0]}`, ';NOTTHERE1', ''].join('\r\n'))
  const sourceIds = { file, columns: { cnk: 'cnk', id: 'id' }, order: 'list' as const }
  const sent = sandbox.requests.length
  const asked = { ...everything, filter: { status: 'active' } }
  const report = await folder.run({ source: asked, sourceIds, tables, maxRemoved: '100%' })
  const rows = (await folder.readOut('products.csv')).trimEnd().split('\n').slice(1)
  expect(rows.slice(0, -2).map((row) => row.split(',')[2])).toEqual(single.slice(0, 1100).map(([id]) => id))
  expect(rows.slice(-2).map((row) => row.split(',')[1])).toEqual(
    Array.from({ length: 2 }, () => 'not found with source.filter'),
  )
  expect(sandbox.requests.length - sent).toBe(report.sourceIds?.requests)
  expect(report.completeness).toMatchObject({ status: 'proven', total: Math.min(single.length, 1100) })
  expect(report.sources[0]?.notes?.missing).toEqual([])

  const plan = planPipeline({ name: 'x', source: source({ status: 'active' }), sourceIds, tables }, { env: {} })
  const shown = toShownSource(plan.source as ServiceSourcePlan)
  expect(shown.alternatives).toHaveLength(2)
  expect(JSON.stringify(shown.alternatives)).toMatch(/more/)

  const to = `${folder.path}/landed.ndjson`
  await fetchPipeline({ name: 'x', source: source({ status: 'active' }), sourceIds }, { to, env: {} })
  const landed = await folder.run({ source: { files: to }, sourceIds, tables, maxRemoved: '100%' })
  expect(landed.missingIds).toMatchObject({ found: report.missingIds?.found, notFound: 2 })
})
