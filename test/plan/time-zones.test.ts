import { expect, test } from 'vitest'
import { checkText } from './check-text.ts'

const head = 'name: x\nsource: { files: data.ndjson, contract: v4/product }\n'

test.each(['timezone: Europe/Brussels', 'timezone: UTC', 'timezone: America/Argentina/Ushuaia'])(
  'a config with %s is accepted',
  (line) => {
    expect(checkText(`${head}${line}\n`)).toEqual([])
  },
)

test.each([
  [
    'timezone: Europe/Brussel',
    '3:11 unknown time zone "Europe/Brussel", expected an IANA name such as Europe/Brussels or UTC; did you mean "Europe/Brussels"?',
  ],
  ['timezone: "+02:00"', '3:11 unknown time zone "+02:00", expected an IANA name such as Europe/Brussels or UTC'],
  ['timezone: ""', '3:11 unknown time zone "", expected an IANA name such as Europe/Brussels or UTC'],
  [
    'tables: { p: { columns: [{ from: meta.createdAt, as: date, timezone: Asia/Tokio }] } }',
    '3:70 unknown time zone "Asia/Tokio", expected an IANA name such as Europe/Brussels or UTC; did you mean "Asia/Tokyo"?',
  ],
  [
    'tables: { p: { columns: [{ from: meta.createdAt, timezone: Asia/Tokyo }] } }',
    '3:60 timezone: expected together with as: date, got no as',
  ],
])('a time zone is checked before anything is read: %s', (line, problem) => {
  expect(checkText(`${head}${line}\n`)).toEqual([problem])
})
