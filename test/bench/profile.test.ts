import { expect, it } from 'vitest'
import { formatProfile, summarizeProfile } from '../../bench/results/summarize-profile.ts'

const node = (id: number, functionName: string, url = '', lineNumber = -1) => ({
  id,
  callFrame: { functionName, url, lineNumber },
})

it('a profile sums the time of each function over the places it is called from, without the time of waiting', () => {
  const times = summarizeProfile({
    nodes: [
      node(1, '(idle)'),
      node(2, 'parse', 'file:///code/records/parse-line.js', 9),
      node(3, 'parse', 'file:///code/records/parse-line.js', 9),
      node(4, '', 'file:///code/cli.js', 0),
    ],
    samples: [1, 2, 3, 1, 4, 2],
    timeDeltas: [0, 5000, 1000, 2000, 9000, 500],
  })
  expect(times).toEqual([
    { name: 'parse  records/parse-line.js:10', selfMs: 3 },
    { name: '(anonymous)  code/cli.js:1', selfMs: 0.5 },
  ])
  expect(formatProfile(times, 1)).toBe('       4 ms busy\n       3 ms  85.7 %  parse  records/parse-line.js:10\n')
})
