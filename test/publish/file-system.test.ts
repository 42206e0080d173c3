import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFolders } from '../../src/publish/file-system.ts'

test('creates what is missing, the deepest first, also when two do it at once', async () => {
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

test.runIf(process.platform === 'linux')('ends where a folder can hold no other', async () => {
  await expect(createFolders('/proc/catalogue/products', fs)).rejects.toMatchObject({ code: 'ENOENT' })
})
