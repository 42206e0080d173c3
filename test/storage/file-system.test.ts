import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFolders, type FileSystem, flushFile, renameFile } from '../../src/storage/file-system.ts'
import { systemError } from './watched-file-system.ts'

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

test('flushFile flushes by its number a handle that has no method for it, as in Yarn, and fails as the disk does', async () => {
  const path = join(tmpdir(), `flushed-${process.pid}`)
  const file = await fs.open(path, 'w')
  const ofYarn = { sync: lacking, datasync: lacking }
  try {
    await flushFile({ ...ofYarn, fd: file.fd })
    await flushFile({ ...ofYarn, fd: file.fd }, 'datasync')
    await expect(flushFile({ ...ofYarn, fd: 1_000_000 })).rejects.toMatchObject({ code: 'EBADF' })
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    await expect(flushFile({ ...ofYarn, sync: () => Promise.reject(full), fd: file.fd })).rejects.toBe(full)
  } finally {
    await file.close()
    await fs.rm(path)
  }
})

test.each(['EPERM', 'EACCES', 'EBUSY'])(
  'renameFile waits on Windows for a program that has the file open: %s',
  async (code) => {
    const renamed: string[] = []
    const rename = async (from: string, to: string) => {
      renamed.push(`${from} ${to}`)
      if (renamed.length < 4) throw systemError(code, -1, 'rename')
    }
    await renameFile('a', 'b', { rename } as Pick<FileSystem, 'rename'>, { platform: 'win32' })
    expect(renamed).toEqual(Array.from({ length: 4 }, () => 'a b'))
  },
)

test.each([
  ['EPERM', 'win32', 3],
  ['ENOENT', 'win32', 1],
  ['EPERM', 'linux', 1],
] as const)(
  'renameFile gives %s up on %s after a while, or at once if nothing changes',
  async (code, platform, least) => {
    let times = 0
    const rename = () => Promise.reject(systemError(code, ++times, 'rename'))
    const renaming = renameFile('a', 'b', { rename }, { platform, forMs: 50 })
    await expect(renaming).rejects.toMatchObject({ code })
    expect(least === 1 ? times === 1 : times >= least && times < 10).toBe(true)
  },
)

function lacking(): never {
  throw new Error('Method not implemented.')
}
