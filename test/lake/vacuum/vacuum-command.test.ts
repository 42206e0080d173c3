import { utimes } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { lockPathFor, takeFileLock } from '../../../src/storage/lock/file-lock.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { RunFolder } from '../../cli/run-folder.ts'

test('lake vacuum prints what is removed, and refuses to run beside a run, to remove what is young, and a pipeline without a lake', async () => {
  const folder = await RunFolder.create()
  try {
    await folder.generate('brands.ndjson', 'v4/brand', 10)
    const config = await folder.config(
      'brands',
      'brands.ndjson',
      "outputs: [{ format: delta, path: 'out/lake/{table}' }]\n",
    )
    const run = (...args: string[]) => runInMemory([...args, '--out', folder.out], { env: {} })
    expect((await run('run', config)).exitCode).toBe(0)
    await folder.write('out/lake/brands/part-killed.parquet', 'left')
    await utimes(folder.at('out/lake/brands/part-killed.parquet'), 0, 0)
    const dry = await run('lake', 'vacuum', config, '--dry-run')
    expect(dry.stdout).toContain('would be removed: 1 file, 4 B')
    const { stdout } = await run('lake', 'vacuum', config, '--older-than', '1h', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      pipeline: 'brands',
      dryRun: false,
      files: 1,
      bytes: 4,
      uploads: 0,
    })
    expect((await run('lake', 'vacuum', config)).stdout).toContain('removed: 0 files, 0 B')
    const young = await run('lake', 'vacuum', config, '--older-than', '59m')
    expect([young.exitCode, young.stderr]).toEqual([2, expect.stringContaining('Expected 1h or more')])
    const none = await run('lake', 'vacuum', await folder.config('files', 'brands.ndjson'))
    expect([none.exitCode, none.stderr]).toEqual([
      2,
      expect.stringContaining('expected an output in the format delta or iceberg'),
    ])
    const lock = await takeFileLock(lockPathFor(folder.at('out/brands/_manifest.json')), {
      subject: 'brands',
      run: 'other',
      waitMs: 0,
    })
    const locked = await run('lake', 'vacuum', config)
    await lock.release()
    expect(locked.exitCode).toBe(6)
  } finally {
    await folder.remove()
  }
})
