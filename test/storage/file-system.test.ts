import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFolders } from '../../src/storage/file-system.ts'

test('createFolders creates missing folders, also when two calls do it at once, and gives them with the deepest first', async () => {
  const base = await fs.mkdtemp(join(tmpdir(), 'folders-'))
  try {
    const deep = join(base, 'a', 'b', 'c')
    const [one, other] = await Promise.all([createFolders(deep, fs), createFolders(deep, fs)])
    expect([...one, ...other].toSorted()).toEqual([join(base, 'a'), join(base, 'a', 'b'), deep])
    expect(await createFolders(deep, fs)).toEqual([])
    expect(await createFolders(join(deep, 'd', 'e'), fs)).toEqual([join(deep, 'd', 'e'), join(deep, 'd')])
  } finally {
    await fs.rm(base, { recursive: true })
  }
})

test.runIf(process.platform === 'linux')('createFolders fails if a folder can hold no other', async () => {
  await expect(createFolders('/proc/catalogue/products', fs)).rejects.toMatchObject({ code: 'ENOENT' })
})
