import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLocalStorage } from '../../src/storage/local-storage.ts'

test('a file that is removed while its folder is listed is left out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'listed-'))
  try {
    for (const name of ['a', 'b', 'c']) await writeFile(join(folder, name), name)
    const listed: string[] = []
    for await (const { path } of createLocalStorage().list(folder)) {
      listed.push(path)
      await rm(join(folder, 'b'), { force: true })
    }
    expect(listed).toEqual([join(folder, 'a'), join(folder, 'c')])
  } finally {
    await rm(folder, { recursive: true })
  }
})
