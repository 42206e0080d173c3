import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CatalogueError } from '../../src/errors.ts'
import type { FileSystem } from '../../src/storage/file-system.ts'
import { openStagedFile } from '../../src/storage/staged-file.ts'
import { cases } from '../depth.ts'
import { sha256 } from './output-folder.ts'
import { systemError, watchFileSystem, type Operation, type Watch } from './watched-file-system.ts'

const mebibyte = 1024 * 1024

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'staged-file-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a staged file is beside its destination under a staging name, with the folders it needs', async () => {
  const destination = join(folder, 'a/b/products.csv')
  const file = await openStagedFile(destination, { token: 'run_1' })
  expect(file).toMatchObject({ destination, path: join(folder, `a/b/.products.csv.${process.pid}-run_1.staging`) })
  await file.write(Buffer.from('id\n'))
  await file.finish()
  expect(await readdir(dirname(destination))).toEqual([basename(file.path)])
})

test('a finished staged file has its length and hash', async () => {
  const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' })
  await file.write(Buffer.from('id\n'))
  await file.write(Buffer.from('1\n'))
  expect(await file.finish()).toEqual({ bytes: 5, sha256: sha256('id\n1\n') })
  expect(await file.finish()).toEqual({ bytes: 5, sha256: sha256('id\n1\n') })
})

test('an empty staged file is a file', async () => {
  const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' })
  expect(await file.finish()).toEqual({ bytes: 0, sha256: sha256('') })
  expect(await readFile(file.path, 'utf8')).toBe('')
})

test('a staged file has the permissions of its mode', async () => {
  const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a', mode: 0o600 })
  expect((await stat(file.path)).mode & 0o777).toBe(0o600)
  await file.discard()
})

test.each([false, true])(
  'the bytes of a staged file may be changed once they are written, also shared ones (gzip: %s)',
  async (gzip) => {
    const sizes = fc.array(fc.oneof(fc.nat(100), fc.nat(100_000), fc.nat(1_500_000)), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(sizes, async (lengths) => {
        const room = Buffer.from(new SharedArrayBuffer(1_500_000))
        const pieces = lengths.map((length, index) => Buffer.alloc(length, `${index}: some text, `))
        const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a', gzip })
        for (const piece of pieces) {
          piece.copy(room)
          await file.write(room.subarray(0, piece.length))
          room.fill(0xff)
        }
        await file.finish()
        const onDisk = await readFile(file.path)
        await file.discard()
        expect((gzip ? gunzipSync(onDisk) : onDisk).equals(Buffer.concat(pieces))).toBe(true)
      }),
      { numRuns: cases(20) },
    )
  },
)

test.each([false, true])(
  'pieces of any size of a staged file are written in order, also without awaiting (gzip: %s)',
  async (gzip) => {
    const sizes = fc.array(fc.oneof(fc.nat(100), fc.nat(100_000), fc.nat(1_500_000)), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.boolean(), async (lengths, isAwaited) => {
        const pieces = lengths.map((length, index) => Buffer.alloc(length, `${index}: some text, `))
        const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a', gzip })
        const writes = []
        for (const piece of pieces) {
          const written = file.write(piece)
          if (isAwaited) await written
          writes.push(written)
        }
        for (const written of writes) await written
        const { bytes, sha256: sum } = await file.finish()
        const onDisk = await readFile(file.path)
        await file.discard()
        expect([bytes, sum]).toEqual([onDisk.length, sha256(onDisk)])
        expect((gzip ? gunzipSync(onDisk) : onDisk).equals(Buffer.concat(pieces))).toBe(true)
      }),
      { numRuns: cases(20) },
    )
  },
)

describe('a staged file with gzip', () => {
  test('a staged file with gzip is the same for the same bytes, however they were cut, and has no time in it', async () => {
    const content = Buffer.from(Array.from({ length: 60_000 }, (_, id) => `${id},${(id * 7919) % 1013}\n`).join(''))
    const files = [10, 7000, 300_000].map((length) => compress(content, length))
    const [first, ...others] = await Promise.all(files)
    for (const other of [...others, await compress(content, 1000)]) expect(other.equals(first!)).toBe(true)
    expect(first!.subarray(4, 8)).toEqual(Buffer.alloc(4))
  })

  let count = 0
  async function compress(content: Buffer, pieceBytes: number): Promise<Buffer> {
    const file = await openStagedFile(join(folder, 'products.csv.gz'), { token: `run${count++}`, gzip: true })
    for (let start = 0; start < content.length; start += pieceBytes) {
      await file.write(content.subarray(start, start + pieceBytes))
    }
    await file.finish()
    return readFile(file.path)
  }
})

describe('a slow disk', () => {
  test.each([
    ['small', 1000, false],
    ['large', mebibyte, false],
    ['compressed', 100_000, true],
  ])('a slow disk holds back the writer of %s pieces, so that memory is bounded', async (_, pieceBytes, gzip) => {
    const piece = noise(pieceBytes)
    let [given, largest] = [0, 0]
    const disk = slowDisk()
    const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a', gzip }, disk.fs)
    while (given < cases(24, 10) * mebibyte) {
      await file.write(Buffer.from(piece))
      given += pieceBytes
      largest = Math.max(largest, given - disk.written())
    }
    await file.finish()
    expect(disk.written()).toBeGreaterThanOrEqual(given)
    expect(largest).toBeLessThanOrEqual((gzip ? 4 : 3) * mebibyte)
  })

  test('a slow disk gets many small writes in few large ones', async () => {
    const operations: Operation[] = []
    const fs = watchFileSystem({ before: (operation) => void operations.push(operation) })
    const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' }, fs)
    for (let row = 0; row < 100_000; row++) await file.write(Buffer.from('1234567890,1234567890,1234567890\n'))
    await file.finish()
    expect(operations.filter(({ name }) => name === 'handle.write').length).toBe(13)
    expect(operations.slice(-2).map(({ name }) => name)).toEqual(['handle.sync', 'handle.close'])
  })

  test('a disk that writes less than it is given gets the rest', async () => {
    const fs = watchFileSystem({
      write: (handle, bytes, offset) => handle.write(bytes, offset, Math.min(7, bytes.length - offset)),
    })
    const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' }, fs)
    await file.write(Buffer.from('a line that is longer than seven bytes\n'))
    expect(await file.finish()).toMatchObject({ sha256: sha256(await readFile(file.path)), bytes: 39 })
  })
})

describe('a full disk', () => {
  const full = watchFileSystem({ write: () => Promise.reject(systemError('ENOSPC', -28, 'write')) })

  test.each([false, true])(
    'a full disk ends every call from then on, in words that name the destination (gzip: %s)',
    async (gzip) => {
      const destination = join(folder, 'products.csv')
      const file = await openStagedFile(destination, { token: 'a', gzip }, full)
      const failure = await writeUntilFailure(async () => file.write(noise(mebibyte)))
      expect(failure).toBeInstanceOf(CatalogueError)
      expect(failure).toMatchObject({
        code: 'OUTPUT_FAILED',
        message: `${destination}: could not be written: no space left on device (ENOSPC)`,
        cause: { code: 'ENOSPC' },
      })
      await expect(file.write(Buffer.from('more'))).rejects.toThrow('no space left on device')
      await expect(file.finish()).rejects.toThrow('no space left on device')
      await file.discard()
      expect(await readdir(folder)).toEqual([])
    },
  )

  test.each([false, true])('a full disk is noticed at the end at the latest (gzip: %s)', async (gzip) => {
    const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a', gzip }, full)
    await file.write(Buffer.from('id\n'))
    await expect(file.finish()).rejects.toThrow('no space left on device')
    await file.discard()
  })

  test('a full disk is noticed when the flush fails', async () => {
    const fs = watchFileSystem({
      before({ name }) {
        if (name === 'handle.sync') throw systemError('EIO', -5, 'fsync')
      },
    })
    const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' }, fs)
    await expect(file.finish()).rejects.toThrow('products.csv: could not be written: i/o error (EIO)')
    await file.discard()
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a staged file that is flushed while it is written', () => {
  const flushed = 16 * mebibyte

  test('a staged file is flushed each 16 MiB', async () => {
    const operations: string[] = []
    const fs = watchFileSystem({ before: ({ name }) => void operations.push(name), skipsSync: true })
    const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' }, fs)
    for (let bytes = 0; bytes < 2.5 * flushed; bytes += mebibyte) await file.write(noise(mebibyte))
    await file.finish()
    expect(operations.filter((name) => name === 'handle.datasync').length).toBe(2)
    expect(operations.slice(-2)).toEqual(['handle.sync', 'handle.close'])
  })

  test('a staged file is not flushed again while a flush is under way', async () => {
    let flushes = 0
    const held = new EventEmitter()
    const released = once(held, 'released')
    const before = async ({ name }: Operation): Promise<void> => {
      if (name !== 'handle.datasync') return
      flushes++
      await released
    }
    const fs = watchFileSystem({ before, skipsSync: true })
    const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' }, fs)
    for (let bytes = 0; bytes < 2.5 * flushed; bytes += mebibyte) await file.write(noise(mebibyte))
    expect(flushes).toBe(1)
    held.emit('released')
    await file.finish()
  })

  test.each(['a write', 'the end'])(
    'a staged file throws a failure of the flush, which the system reports once, at %s',
    async (when) => {
      let failed = false
      const fs = watchFileSystem({
        before({ name }) {
          if (name !== 'handle.datasync' || failed) return
          failed = true
          throw systemError('EIO', -5, 'fdatasync')
        },
      })
      const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' }, fs)
      const message = 'products.csv: could not be written: i/o error (EIO)'
      for (let bytes = 0; bytes < flushed; bytes += mebibyte) await file.write(noise(mebibyte))
      const failing =
        when === 'a write' ? writeUntilFailure(async () => file.write(noise(mebibyte))) : Promise.resolve(null)
      expect(String(await failing)).toContain(when === 'a write' ? message : 'null')
      await expect(file.finish()).rejects.toThrow(message)
      await file.discard()
      expect(await readdir(folder)).toEqual([])
    },
  )

  test('a staged file can be discarded during a flush', async () => {
    const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' })
    for (let bytes = 0; bytes <= flushed; bytes += mebibyte) await file.write(noise(mebibyte))
    await file.discard()
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a staged file that is discarded', () => {
  test.each([false, true])(
    'a discarded staged file leaves nothing, at any time and more than once (gzip: %s)',
    async (gzip) => {
      for (const pieces of [0, 1, 5]) {
        const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a', gzip })
        for (let piece = 0; piece < pieces; piece++) await file.write(noise(mebibyte))
        await file.discard()
        await file.discard()
        expect(await readdir(folder)).toEqual([])
      }
    },
  )

  test.each([false, true])(
    'a discarded staged file does not wait for writes that were not awaited (gzip: %s)',
    async (gzip) => {
      const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a', gzip })
      const writes = Array.from({ length: 8 }, async () => file.write(noise(mebibyte)))
      const settled = Promise.allSettled(writes)
      await file.discard()
      expect(await readdir(folder)).toEqual([])
      await settled
    },
  )

  test('a staged file may be discarded after finish, and when it is gone', async () => {
    const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' })
    await file.finish()
    await file.discard()
    await file.discard()
    expect(await readdir(folder)).toEqual([])
  })

  test('a discarded or finished staged file throws at a write after it', async () => {
    const file = await openStagedFile(join(folder, 'products.csv'), { token: 'a' })
    await file.finish()
    await expect(file.write(Buffer.from('late'))).rejects.toThrow('after finish or discard')
    await file.discard()
  })
})

describe('a staged file that is refused', () => {
  test('a staged file is refused, naming the destination, when the staging name is taken', async () => {
    const destination = join(folder, 'products.csv')
    const file = await openStagedFile(destination, { token: 'a' })
    await expect(openStagedFile(destination, { token: 'a' })).rejects.toThrow(
      `${destination}: could not be created: file already exists (EEXIST)`,
    )
    await file.discard()
  })

  test('a staged file is refused, naming the destination, when a folder is there', async () => {
    const destination = join(folder, 'products.csv')
    await mkdir(destination)
    await expect(openStagedFile(destination, { token: 'a' })).rejects.toMatchObject({
      code: 'OUTPUT_REFUSED',
      message: `${destination}: expected a file or nothing there, got a folder`,
    })
    expect(await readdir(folder)).toEqual(['products.csv'])
  })

  test('a staged file is refused, naming the destination, when a device is there, also through a link', async () => {
    const destination = join(folder, 'products.csv')
    await symlink('/dev/null', destination)
    await expect(openStagedFile(destination, { token: 'a' })).rejects.toThrow('got a device')
    await expect(openStagedFile('/dev/null', { token: 'a' })).rejects.toThrow('/dev/null: expected a file or nothing')
  })

  test('a staged file is refused, naming the destination, when a file is where a folder is needed', async () => {
    await writeFile(join(folder, 'out'), '')
    const destination = join(folder, 'out/tables/products.csv')
    await expect(openStagedFile(destination, { token: 'a' })).rejects.toMatchObject({
      code: 'OUTPUT_REFUSED',
      message: `${join(folder, 'out')}: expected a folder, got a file`,
    })
  })

  test('a staged file is refused, naming the destination, when the file system does not allow it', async () => {
    const destination = join(folder, 'products.csv')
    const fs = watchFileSystem({
      before({ name }) {
        if (name === 'open') throw systemError('EROFS', -30, 'open')
      },
    })
    await expect(openStagedFile(destination, { token: 'a' }, fs)).rejects.toThrow(
      `${destination}: could not be created: read-only file system (EROFS)`,
    )
  })

  test('a staged file rethrows an error that is not of the system', async () => {
    await expect(openStagedFile(join(folder, 'a.csv'), { token: '../b' })).rejects.toThrow(TypeError)
  })
})

/** A disk that takes a millisecond for each write. */
function slowDisk(): { fs: FileSystem; written(): number } {
  let written = 0
  const write: Watch['write'] = async (_, bytes, offset) => {
    await sleep(1)
    written += bytes.length - offset
    return { bytesWritten: bytes.length - offset }
  }
  return { fs: watchFileSystem({ write }), written: () => written }
}

async function writeUntilFailure(write: () => Promise<void>): Promise<unknown> {
  for (;;) {
    try {
      await write()
    } catch (thrown) {
      return thrown
    }
  }
}

/** Bytes that cannot be compressed. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let [index, state] = [0, 1]; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[index] = state >>> 24
  }
  return bytes
}
