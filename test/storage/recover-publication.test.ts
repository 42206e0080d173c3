import * as nodeFs from 'node:fs/promises'
import { lstat, rename, rm, writeFile, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endedPathFor } from '../../src/storage/publication-journal.ts'
import type { FileSystem } from '../../src/storage/file-system.ts'
import type { Publication } from '../../src/storage/publication.ts'
import { recoverPublication } from '../../src/storage/recover-publication.ts'
import { siblingPath } from '../../src/storage/staging-names.ts'
import { OutputFolder } from './output-folder.ts'
import { stopBefore } from './stop-publication.ts'

let folder: OutputFolder
beforeEach(async () => {
  folder = await OutputFolder.create(3)
})
afterEach(() => rm(folder.path, { recursive: true }))

const allOf = (version: string) => folder.destinations.map(() => version)

describe('the recovery of a publication', () => {
  test('the recovery of a publication has nothing to do without a journal', async () => {
    expect(await recoverPublication(folder.journal)).toBe('none')
    expect(await recoverPublication(join(folder.path, 'never/was'))).toBe('none')
  })

  test('the recovery of a publication finishes a publication in a folder that was moved meanwhile', async () => {
    await interrupt('B', folder.outputs[1]!)
    const moved = new OutputFolder(`${folder.path}-moved`, 3)
    await rename(folder.path, moved.path)
    folder = moved
    expect(await recoverPublication(folder.journal)).toBe('finished')
    expect(await folder.versions()).toEqual(allOf('B'))
  })

  test('the recovery of a publication undoes a publication when an output was changed meanwhile', async () => {
    await interrupt('B', folder.outputs[1]!)
    await writeFile(folder.outputs[0]!, 'half of B')
    expect(await recoverPublication(folder.journal)).toBe('undone')
    expect(await folder.versions()).toEqual(allOf('A'))
    expect(await folder.leftOvers()).toEqual([])
  })

  test('the recovery of a publication tells files apart whose inodes differ only beyond 53 bits, as on Windows', async () => {
    const fs = withLongInodes()
    await folder.reset('A')
    await stopBefore('rename', folder.outputs[1]!, await folder.stage('B', 'run'), fs)
    await writeFile(folder.outputs[0]!, 'half of B')
    expect(await recoverPublication(folder.journal, fs)).toBe('undone')
    expect(await folder.versions()).toEqual(allOf('A'))
  })

  test('the recovery of a publication leaves an output alone that was not replaced, though it has no backup and no staging file', async () => {
    const backup = siblingPath((await interrupt('B', folder.outputs[0]!)).files[1]!.path, 'backup')
    await rm(backup)
    for (const name of await folder.leftOvers()) if (name.endsWith('.staging')) await rm(join(folder.path, name))
    const inode = (await lstat(folder.outputs[1]!)).ino
    expect(await recoverPublication(folder.journal)).toBe('undone')
    expect(await folder.versions()).toEqual(allOf('A'))
    expect((await lstat(folder.outputs[1]!)).ino).toBe(inode)
  })

  test('the recovery of a publication names the backup that is missing', async () => {
    const { files } = await interrupt('B', folder.outputs[1]!)
    const backup = siblingPath(files[0]!.path, 'backup')
    await rm(backup)
    await rm(files[2]!.path)
    const missing = `${files[0]!.destination}: expected its previous version at "${backup}", got nothing`
    await expect(recoverPublication(folder.journal)).rejects.toThrow(missing)
    await expect(recoverPublication(folder.journal)).rejects.toThrow(missing)
  })

  test.each(['', '{"format":', '{"format":"of another"}', '{"format":"catalogue-etl publication 1","entries":[{}]}'])(
    'the recovery of a journal that reads %j says what to do',
    async (text) => {
      await writeFile(folder.journal, text)
      await expect(recoverPublication(folder.journal)).rejects.toMatchObject({
        code: 'OUTPUT_REFUSED',
        message: expect.stringMatching(
          /cannot be understood.*put back the ".backup" files.*delete the journal/,
        ) as string,
      })
      expect(await folder.leftOvers()).toEqual([basename(folder.journal)])
    },
  )

  test('the recovery of an ended publication whose list is damaged says that the outputs are whole', async () => {
    await writeFile(endedPathFor(folder.journal), '{')
    await expect(recoverPublication(folder.journal)).rejects.toMatchObject({
      code: 'OUTPUT_REFUSED',
      message: `${endedPathFor(folder.journal)}: expected what an ended publication has to remove, got something else; the outputs are whole`,
      fix: 'Delete this file, then run again.',
    })
  })

  test('the recovery of an ended publication leaves it to its process while that runs', async () => {
    await folder.reset('A')
    await stopBefore('rm', folder.superseded, await folder.stage('B', 'run'))
    await changePublisher({ pid: process.ppid, startTicks: null }, endedPathFor(folder.journal))
    expect(await recoverPublication(folder.journal)).toBe('none')
    expect(await folder.hasSuperseded()).toBe(true)
  })

  test('the recovery of a journal of a later version leaves it to that version', async () => {
    await writeFile(folder.journal, '{"format":"catalogue-etl publication 12"}')
    await expect(recoverPublication(folder.journal)).rejects.toMatchObject({
      code: 'OUTPUT_REFUSED',
      message: expect.stringContaining('got that of a later one') as string,
      fix: expect.stringContaining('Run the pipeline once with the later version') as string,
    })
    expect(await folder.leftOvers()).toEqual([basename(folder.journal)])
  })

  test('the recovery of a publication fails while another process publishes', async () => {
    await interrupt('B', folder.outputs[1]!)
    const before = await folder.versions()
    await changePublisher({ pid: process.ppid, startTicks: null })
    await expect(recoverPublication(folder.journal)).rejects.toMatchObject({
      message: expect.stringContaining(`process ${process.ppid} is publishing these outputs`) as string,
      fix: expect.stringContaining('start one at a time') as string,
    })
    expect(await folder.versions()).toEqual(before)
  })

  test.runIf(process.platform === 'linux')(
    'the recovery of a publication knows a process from a later one with its number',
    async () => {
      await interrupt('B', folder.outputs[1]!)
      await changePublisher({ pid: process.ppid, startTicks: '1' })
      expect(await recoverPublication(folder.journal)).toBe('finished')
    },
  )
})

/** Stops the publication of a version over version A before its rename to this destination. */
async function interrupt(version: string, destination: string): Promise<Publication> {
  await folder.reset('A')
  const publication = await folder.stage(version, 'run')
  await stopBefore('rename', destination, publication)
  return publication
}

async function changePublisher(
  publisher: { pid: number; startTicks: string | null },
  path = folder.journal,
): Promise<void> {
  const journal = JSON.parse(await readFile(path, 'utf8')) as object
  await writeFile(path, JSON.stringify({ ...journal, publisher }))
}

function withLongInodes(): FileSystem {
  const inodes = new Map<bigint, bigint>()
  const look = async (path: string, { bigint = false } = {}) => {
    const stats = await nodeFs.lstat(path, { bigint: true })
    const ino = inodes.get(stats.ino) ?? 2n ** 60n + BigInt(inodes.size)
    inodes.set(stats.ino, ino)
    return bigint ? Object.assign(stats, { ino }) : Object.assign(await nodeFs.lstat(path), { ino: Number(ino) })
  }
  return { ...nodeFs, lstat: look as FileSystem['lstat'] }
}
