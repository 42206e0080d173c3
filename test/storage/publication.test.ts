import { mkdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FileSystem } from '../../src/storage/file-system.ts'
import { endedPathFor, journalPathFor } from '../../src/storage/publication-journal.ts'
import { publish, type Publication } from '../../src/storage/publication.ts'
import { recoverPublication } from '../../src/storage/recover-publication.ts'
import { openStagedFile } from '../../src/storage/staged-file.ts'
import { siblingPath } from '../../src/storage/staging-names.ts'
import { OutputFolder } from './output-folder.ts'
import { stopBefore } from './stop-publication.ts'
import { refuseLink, systemError, watchFileSystem } from './watched-file-system.ts'

let folder: OutputFolder
beforeEach(async () => {
  folder = await OutputFolder.create(3)
})
afterEach(() => rm(folder.path, { recursive: true }))

const allOf = (version: string) => folder.destinations.map(() => version)

describe('publish', () => {
  test('publish puts every file in place and leaves nothing beside them', async () => {
    await folder.reset('A')
    expect(await publish(await folder.stage('B', 'run'))).toEqual([])
    expect(await folder.versions()).toEqual(allOf('B'))
    expect(await folder.leftOvers()).toEqual([])
  })

  test('publish puts files in place that were not there before, in new folders', async () => {
    const outputs = [join(folder.path, 'x/a.csv'), join(folder.path, 'y/b.csv.gz'), join(folder.path, 'm.json')]
    const files = await Promise.all(
      outputs.map(async (destination) => {
        const file = await openStagedFile(destination, { token: 'run', gzip: destination.endsWith('.gz') })
        await file.write(Buffer.from(destination))
        return { path: file.path, destination, sha256: (await file.finish()).sha256 }
      }),
    )
    await publish({ files: files.slice(0, 2), manifest: files[2]!, journalPath: journalPathFor(outputs[2]!) })
    expect(await readFile(outputs[0]!, 'utf8')).toBe(outputs[0])
    expect(await readFile(outputs[2]!, 'utf8')).toBe(outputs[2])
  })

  test('publish does its operations in the order that makes it safe to be killed', async () => {
    folder = new OutputFolder(folder.path, 1)
    await folder.reset('A')
    const steps: string[] = []
    const fs = watchFileSystem({
      before({ name, path }) {
        const file = path === folder.path ? 'folder' : basename(path).replace(/\d+-run/, 'RUN')
        const changes = ['link', 'rename', 'rm', 'handle.writeFile', 'handle.sync']
        if (changes.includes(name)) steps.push(`${name.replace('handle.', '')} ${file}`)
      },
    })
    await publish(await folder.stage('B', 'run'), fs)
    expect(steps).toEqual([
      'sync folder',
      'writeFile ._manifest.json.RUN.partial',
      'sync ._manifest.json.RUN.partial',
      'link ._manifest.json.journal',
      'rm ._manifest.json.RUN.partial',
      'sync folder',
      'link .table0.csv.RUN.backup',
      'link ._manifest.json.RUN.backup',
      'sync folder',
      'rename table0.csv',
      'rename _manifest.json',
      'sync folder',
      'rename ._manifest.json.ended',
      'sync folder',
      'rm .table0.csv.RUN.backup',
      'rm ._manifest.json.RUN.backup',
      'rm superseded.csv',
      'rm ._manifest.json.ended',
    ])
  })

  test('publish works without hard links', async () => {
    await folder.reset('A')
    await publish(await folder.stage('B', 'run'), withoutLinks())
    expect(await folder.versions()).toEqual(allOf('B'))
    expect(await folder.leftOvers()).toEqual([])
  })

  test('publish resolves with the backups that could not be removed', async () => {
    await folder.reset('A')
    const fs = watchFileSystem({
      before({ name, path }) {
        if (name === 'rm' && path.endsWith('.backup') && path.includes('table1')) throw systemError('EIO', -5, 'unlink')
      },
    })
    const publication = await folder.stage('B', 'run')
    expect(await publish(publication, fs)).toEqual([siblingPath(publication.files[1]!.path, 'backup')])
    expect(await folder.versions()).toEqual(allOf('B'))
    expect(await recoverPublication(folder.journal)).toBe('none')
    expect(await folder.leftOvers()).toEqual([])
  })

  test('publish removes the files without a new version, but not what has taken the name of one since', async () => {
    await folder.reset('A')
    await publish(await folder.stage('B', 'run'))
    expect(await folder.hasSuperseded()).toBe(false)
    for (const isReplaced of [false, true]) {
      await folder.reset('A')
      await stopBefore('rm', folder.superseded, await folder.stage('B', 'run'))
      expect(await folder.hasSuperseded()).toBe(true)
      if (isReplaced) {
        await writeFile(join(folder.path, 'other'), 'of another pipeline')
        await rename(join(folder.path, 'other'), folder.superseded)
      }
      expect(await recoverPublication(folder.journal)).toBe('none')
      expect(await folder.hasSuperseded()).toBe(isReplaced)
      expect(await folder.leftOvers()).toEqual([])
    }
  })
})

describe('a publication that is refused', () => {
  test('publish refuses a destination that is a folder, with nothing changed', async () => {
    await folder.reset('A', folder.destinations.slice(1))
    await mkdir(folder.outputs[0]!)
    const refusal = await refusalOf(await folder.stage('B', 'run'), 'OUTPUT_REFUSED')
    expect(refusal).toBe(`${folder.outputs[0]}: expected a file or nothing there, got a folder`)
  })

  test('publish refuses a destination that is a device, with nothing changed', async () => {
    await folder.reset('A', folder.destinations.slice(1))
    await symlink('/dev/null', folder.outputs[0]!)
    expect(await refusalOf(await folder.stage('B', 'run'), 'OUTPUT_REFUSED')).toContain('got a device')
  })

  test('publish refuses two outputs of the same name, with nothing changed', async () => {
    const { files, manifest, journalPath } = await folder.stage('B', 'run')
    const again = { ...files[0]!, destination: join(folder.path, 'x', '..', basename(files[0]!.destination)) }
    const refusal = await refusalOf({ files: [...files, again], manifest, journalPath }, 'OUTPUT_REFUSED')
    expect(refusal).toBe(`${folder.outputs[0]}: two outputs go there, expected one`)
  })

  test.each([
    ['with', watchFileSystem({})],
    ['without', withoutLinks()],
  ])(
    'publish refuses while another run publishes the same outputs (%s hard links), with nothing changed',
    async (_, fs) => {
      await folder.reset('A')
      await writeFile(folder.journal, 'of the other')
      const refusal = await refusalOf(await folder.stage('B', 'run'), 'OUTPUT_FAILED', fs)
      expect(refusal).toContain('another run publishes these outputs')
      expect(await readFile(folder.journal, 'utf8')).toBe('of the other')
    },
  )

  test('publish refuses when there is no room for the journal, with nothing changed', async () => {
    await folder.reset('A')
    const fs = watchFileSystem({
      before({ name }) {
        if (name === 'handle.writeFile') throw systemError('ENOSPC', -28, 'write')
      },
    })
    const refusal = await refusalOf(await folder.stage('B', 'run'), 'OUTPUT_FAILED', fs)
    expect(refusal).toBe(`${folder.journal}: could not be written: no space left on device (ENOSPC)`)
  })
})

describe('a publication that fails midway', () => {
  test.each([
    ['with', (fs: FileSystem) => fs, true],
    ['without', withoutLinks, false],
  ])('publish that fails midway puts the previous outputs back (%s hard links)', async (_, prepare, stagesAgain) => {
    const before = [folder.outputs[0]!, folder.outputs[2]!, folder.manifest]
    const old = ['A', 'absent', 'A', 'A']
    for (const [index, destination] of folder.destinations.entries()) {
      await folder.reset('A', before)
      const publication = await folder.stage('B', 'run')
      const staged = [...publication.files, publication.manifest].map(({ path }) => basename(path))
      const fs = prepare(failAt('rename', destination, systemError('EIO', -5, 'rename')))
      await expect(publish(publication, fs)).rejects.toMatchObject({
        code: 'OUTPUT_FAILED',
        message: `${destination}: could not be renamed into place: i/o error (EIO)`,
        outputs: 'The previous outputs are as they were.',
      })
      expect(await folder.versions()).toEqual(old)
      const lost = stagesAgain ? [] : [0, 2].filter((at) => at < index).map((at) => staged[at])
      expect(await folder.leftOvers()).toEqual(staged.filter((name) => !lost.includes(name)).sort())
      expect(await recoverPublication(folder.journal)).toBe('none')
    }
  })

  test('publish fails midway because a folder has appeared at a destination', async () => {
    await folder.reset('A', [folder.outputs[0]!, folder.manifest])
    const fs = watchFileSystem({
      async before({ name, path }) {
        if (name === 'rename' && path === folder.outputs[0]) await mkdir(folder.outputs[1]!, { recursive: true })
      },
    })
    await expect(publish(await folder.stage('B', 'run'), fs)).rejects.toMatchObject({
      message: `${folder.outputs[1]}: could not be renamed into place: illegal operation on a directory (EISDIR)`,
    })
    await rm(folder.outputs[1]!, { recursive: true })
    expect(await folder.versions()).toEqual(['A', 'absent', 'absent', 'A'])
  })

  test('publish that fails midway stages the new versions again, so that they can be published later', async () => {
    await folder.reset('A', folder.destinations.slice(1))
    const publication = await folder.stage('B', 'run')
    const fs = failAt('rename', folder.manifest, systemError('EIO', -5, 'rename'))
    await expect(publish(publication, fs)).rejects.toThrow('EIO')
    expect(await folder.versions()).toEqual(['absent', 'A', 'A', 'A'])
    await publish(publication)
    expect(await folder.versions()).toEqual(allOf('B'))
    expect(await folder.leftOvers()).toEqual([])
  })

  test('publish fails midway because a staging file has gone', async () => {
    await folder.reset('A')
    const publication = await folder.stage('B', 'run')
    await rm(publication.files[2]!.path)
    await expect(publish(publication)).rejects.toThrow('no such file or directory (ENOENT)')
    expect(await folder.versions()).toEqual(allOf('A'))
  })

  test('publish that fails as the journal cannot be renamed leaves the previous outputs', async () => {
    await folder.reset('A')
    const fs = failAt('rename', endedPathFor(folder.journal), systemError('EIO', -5, 'rename'))
    await expect(publish(await folder.stage('B', 'run'), fs)).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      outputs: 'The previous outputs are as they were.',
    })
    expect(await folder.versions()).toEqual(allOf('A'))
    expect(await folder.hasSuperseded()).toBe(true)
  })

  test('publish ends though the answer to the renaming of its journal is lost', async () => {
    await folder.reset('A')
    const renamed = watchFileSystem({
      async before({ name, path }) {
        if (name !== 'rename' || path !== endedPathFor(folder.journal)) return
        await rename(folder.journal, path)
        throw systemError('ENOENT', -2, 'rename')
      },
    })
    expect(await publish(await folder.stage('B', 'run'), renamed)).toEqual([])
    expect(await folder.versions()).toEqual(allOf('B'))
    expect([await folder.hasSuperseded(), await folder.leftOvers()]).toEqual([false, []])
  })

  test('publish leaves what it can not remove to the next publication', async () => {
    await folder.reset('A')
    const stuck = failAt('rm', folder.superseded, systemError('EBUSY', -16, 'unlink'))
    expect(await publish(await folder.stage('B', 'run'), stuck)).toEqual([folder.superseded])
    const { files, manifest, journalPath } = await folder.stage('A', 'again')
    expect(await publish({ files, manifest, journalPath }, stuck)).toEqual([folder.superseded])
    expect(await folder.hasSuperseded()).toBe(true)
    expect(await recoverPublication(folder.journal)).toBe('none')
    expect([await folder.hasSuperseded(), await folder.leftOvers()]).toEqual([false, []])
  })

  test('publish that fails behind its end is published; the next run clears the rest', async () => {
    await folder.reset('A')
    let isEnded = false
    const fs = watchFileSystem({
      before({ name, path }) {
        if (isEnded && name === 'handle.sync') throw systemError('EIO', -5, 'fsync')
        isEnded ||= name === 'rename' && path === endedPathFor(folder.journal)
      },
    })
    expect(await publish(await folder.stage('B', 'run'), fs)).toEqual([endedPathFor(folder.journal)])
    expect(await folder.versions()).toEqual(allOf('B'))
    expect(await recoverPublication(folder.journal)).toBe('none')
    expect([await folder.hasSuperseded(), await folder.leftOvers()]).toEqual([false, []])
  })

  test('publish that fails because the journal can neither be renamed nor removed names it; the next run undoes it', async () => {
    await folder.reset('A')
    const fs = watchFileSystem({
      before({ name, path }) {
        if (name === 'rename' && path === endedPathFor(folder.journal)) throw systemError('EIO', -5, 'rename')
        if (name === 'rm' && path === folder.journal) throw systemError('EIO', -5, 'unlink')
      },
    })
    const publication = await folder.stage('B', 'run')
    await expect(publish(publication, fs)).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringMatching(/could not be renamed.*undoing the publication failed.*the next run/) as string,
      outputs: 'The outputs are of two versions.',
    })
    for (const { path } of [...publication.files, publication.manifest]) await rm(path)
    expect(await recoverPublication(folder.journal)).toBe('undone')
    expect(await folder.versions()).toEqual(allOf('A'))
    expect(await folder.leftOvers()).toEqual([])
  })

  test('publish that fails midway and cannot be undone keeps the journal and backups, so that the next run undoes it', async () => {
    await folder.reset('A')
    const obstacle = folder.outputs[0]!
    const fs = watchFileSystem({
      async before({ name, path }) {
        if (name !== 'rename' || path !== folder.manifest) return
        await rm(obstacle)
        await mkdir(obstacle)
        throw systemError('EIO', -5, 'rename')
      },
    })
    await expect(publish(await folder.stage('B', 'run'), fs)).rejects.toThrow(
      `undoing the publication failed: ${obstacle}`,
    )
    expect((await folder.versions()).slice(1)).toEqual(['A', 'A', 'A'])

    await expect(recoverPublication(folder.journal)).rejects.toThrow(
      /an earlier run left its publication half done.*the next run tries again/,
    )
    await rm(obstacle, { recursive: true })
    expect(await recoverPublication(folder.journal)).toBe('undone')
    expect(await folder.versions()).toEqual(allOf('A'))
    expect(await folder.leftOvers()).toEqual([])
  })

  test('publish that fails midway puts a symbolic link back as a link', async () => {
    await folder.reset('A', folder.destinations.slice(1))
    const target = join(folder.path, 'target')
    await writeFile(target, folder.content(folder.outputs[0]!, 'A'))
    await symlink(target, folder.outputs[0]!)
    const fs = failAt('rename', folder.manifest, systemError('EIO', -5, 'rename'))
    await expect(publish(await folder.stage('B', 'run'), fs)).rejects.toThrow('EIO')
    expect(await readlink(folder.outputs[0]!)).toBe(target)
  })
})

/** Publishes, expects a refusal that leaves the folder unchanged, and returns its message. */
async function refusalOf(publication: Publication, code: string, fs?: FileSystem): Promise<string> {
  const before = [await folder.versions(), await folder.leftOvers()]
  const failure: unknown = await publish(publication, fs).catch((thrown: unknown) => thrown)
  expect([await folder.versions(), await folder.leftOvers()]).toEqual(before)
  expect(failure).toMatchObject({ code })
  return (failure as Error).message
}

/** Always fails one kind of operation on one path. */
function failAt(operation: string, destination: string, failure: Error): FileSystem {
  return watchFileSystem({
    before({ name, path }) {
      if (name === operation && path === destination) throw failure
    },
  })
}

function withoutLinks(inner?: FileSystem): FileSystem {
  return watchFileSystem({ before: refuseLink }, inner)
}
