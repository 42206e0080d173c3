import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { LakeRig, product } from '../lake-rig.ts'
import { fewOf } from '../../depth.ts'
import { python, skipsReaders } from '../readers/other-readers.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const nights = [
  [product('A', 'a', ['x']), product('B'), product('C', 'c', ['y', 'z'])],
  [product('A', 'a2', ['x']), product('C', 'c', ['y', 'z']), product('D')],
  [product('A', 'a2', ['x']), product('B', 'b2'), product('D')],
  [product('A', 'a3'), product('B', 'b2'), product('D'), product('E', 'e', ['x'])],
]

const modes = fewOf(['merge', 'history', 'append', 'snapshot'] as const, 'merge')
const ways = ['optimize', 'z-order', 'checkpoint', 'properties', 'delete', 'update', 'restore', 'append']

describe.skipIf(skipsReaders).each(modes)('mode %s', (mode) => {
  test.each(fewOf(ways, 'optimize', 'delete'))(
    `a table of mode ${mode} has the rows of the model after each night, although deltalake does %s in between`,
    async (how) => {
      rig = await LakeRig.create(mode)
      for (const [night, records] of nights.entries()) {
        await rig.night(records)
        if (night < nights.length - 1) change(how)
      }
      const isQuiet = ['optimize', 'z-order', 'checkpoint', 'properties'].includes(how)
      expect(rig.warnings.filter((warning) => isQuiet && warning !== '')).toEqual([])
    },
  )
})

test.skipIf(skipsReaders)(
  'a merged table whose old files deltalake has vacuumed after a change of its rows is written anew',
  async () => {
    rig = await LakeRig.create('merge')
    await rig.night(nights[0] ?? [])
    change('delete')
    change('vacuum')
    await rig.night(nights[1] ?? [])
    change('vacuum')
    await rig.night(nights[2] ?? [])
    expect(rig.warnings).toEqual([])
  },
)

function change(how: string): void {
  execFileSync(python, [join(import.meta.dirname, '../readers/change-lake.py'), how, rig.table()], { encoding: 'utf8' })
}
