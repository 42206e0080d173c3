import { expect, test } from 'vitest'
import { checkLiteralHost, checkLocalName, isPublicAddress, lookUpPublic } from '../../src/media/public-address.ts'

test.each(['93.184.216.34', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '::ffff:1.1.1.1', '64:ff9b::101:101'])(
  '%s is a public address',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.8.9.10',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'no address',
])('%s is no public address', (address) => expect(isPublicAddress(address)).toBe(false))

test.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest/meta-data/',
])('the literal address in %s is refused, however it is written', (url) => {
  expect(() => checkLiteralHost(new URL(url))).toThrow('no public address')
})

test.each([
  'http://localhost/',
  'http://db.internal/',
  'http://printer.local/',
  'http://intranet/',
  'http://a.localhost./',
  'http://localhost./',
  'http://intranet./',
])('through a proxy the local name in %s is refused', (url) =>
  expect(() => checkLocalName(new URL(url))).toThrow('no public address'),
)

test.each([true, false])('a name that resolves to this machine is refused at lookup (all: %s)', async (all) => {
  const error = await new Promise((resolve) => lookUpPublic('localhost', { all }, resolve))
  expect(error).toMatchObject({ code: 'PRIVATE_ADDRESS', message: expect.stringContaining('localhost leads to') })
})

test('lookUpPublic reports a name that is not found', async () => {
  const error = await new Promise((resolve) => lookUpPublic('nowhere.invalid', { all: true }, resolve))
  expect(error).toMatchObject({ code: expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/) })
})

test('lookUpPublic passes checked addresses to the socket in the requested form', async () => {
  expect(await findOne(true)).toEqual([null, [{ address: '1.1.1.1', family: 4 }]])
  expect(await findOne(false)).toEqual([null, '1.1.1.1', 4])
})

function findOne(all: boolean): Promise<unknown> {
  return new Promise((resolve) => lookUpPublic('1.1.1.1', { all }, (error, ...rest) => resolve([error, ...rest])))
}
