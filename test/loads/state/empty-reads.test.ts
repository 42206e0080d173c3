import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ScriptedService } from './scripted-service.ts'
import { StateFolder } from './state-folder.ts'

let folder: StateFolder
let service: ScriptedService

beforeEach(async () => {
  folder = await StateFolder.create()
  service = await ScriptedService.start()
})
afterEach(async () => {
  await service.close()
  await folder.close()
})

describe('a full read that finds no record', () => {
  test('a full read that finds no record is followed by another full read, which brings records that were updated long before', async () => {
    const { source } = service
    const empty = await folder.run({ source })
    expect(empty.state).toMatchObject({ kind: 'full', changes: { new: 0 } })
    service.records = [{ id: 'A', updatedAt: 1_000_000 }]
    const next = await folder.run({ source })
    expect(next.notes).toEqual(['everything was read, as the last run that read everything found no record at all'])
    expect((await folder.rows()).map(({ id }) => id)).toEqual(['A'])
    expect((await folder.run({ source })).state.kind).toBe('delta')
  })

  test('a full read that finds no record still asks for a full read after a span that was filled in', async () => {
    const { source } = service
    await folder.run({ source })
    const window = { since: new Date(0), until: new Date(1000), progress: null }
    await folder.run({ source }, { window })
    expect((await folder.run({ source })).state.kind).toBe('full')
  })

  test('a full read that finds no record is not meant by a delta without records', async () => {
    const { source } = service
    service.records = [{ id: 'A', updatedAt: 1_000_000 }]
    await folder.run({ source })
    for (const _ of [1, 2]) expect((await folder.run({ source })).state).toMatchObject({ kind: 'delta' })
    expect((await folder.rows()).map(({ id }) => id)).toEqual(['A'])
  })
})
