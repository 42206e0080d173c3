import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import type { RunProfile } from '../../../src/kernel/profile/run-profile.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { cases } from '../../depth.ts'
import { RunFolder } from '../../engine/run-folder.ts'

interface Delivered {
  readonly id: string
  readonly status?: string
  readonly name?: Readonly<Record<string, string>>
  readonly brands?: readonly { readonly name?: Readonly<Record<string, string>> }[]
  readonly descriptions?: readonly { readonly type?: string; readonly content?: Readonly<Record<string, string>> }[]
  readonly photos?: readonly {
    readonly locales?: readonly string[]
    readonly photoType?: string
    readonly formats?: Readonly<Record<string, string>>
  }[]
}

let folder: RunFolder

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.write('input.ndjson', `${lines.join('\n')}\n`)
})
afterAll(() => folder.remove())

/** Names that are empty, without a locale, or in one that nobody asked for. */
const strange = [
  { id: 'E1', name: { en: '', fr: 'f' } },
  { id: 'E2', name: { en: '', fr: '', nl: '' } },
  { id: 'E3', name: { de: 'd' } },
  { id: 'E4', name: { pl: 'p', de: '' }, brands: [{ name: { de: 'd' } }, { name: { fr: 'f' } }] },
  { id: 'E5', photos: [{ locales: ['de'], formats: { large: 'https://example.com/1.jpg' } }] },
  { id: 'E6', photos: [{ locales: [], formats: {} }] },
]
const lines = [
  ...Buffer.concat([...generateLines({ contract: 'v4/product', records: cases(2000, 400), seed: 5 })])
    .toString()
    .trim()
    .split('\n'),
  ...strange.map((record) => JSON.stringify(record)),
]
const records = lines.map((line) => {
  // Null and missing are one.
  const parsed = JSON.parse(line, (_key, value: unknown) => value ?? undefined) as Delivered & {
    readonly result?: Delivered
  }
  return parsed.result ?? parsed
})

const tables = {
  products: {
    columns: [
      'id',
      'name',
      { column: 'title', from: 'name', locale: 'en', fallback: ['fr', 'nl'] },
      { column: 'brand', from: 'brands[0].name', locale: 'fr', fallback: ['nl', 'en'] },
      {
        column: 'packshot',
        from: 'photos[].formats.large',
        where: { photoType: 'packshot' },
        locale: 'en',
        fallback: 'spec',
      },
    ],
  },
  brands: { each: 'brands[]', columns: [{ column: 'label', from: 'name', locale: 'en', fallback: ['nl'] }] },
  indications: {
    each: 'descriptions[]',
    where: { type: 'indication' },
    columns: [{ column: 'text', from: 'content', locale: 'fr', fallback: ['nl'] }],
  },
} satisfies NonNullable<PipelineConfig['tables']>

type Taken = Readonly<Record<string, number>>

function count(found: readonly (string | undefined)[]): Taken {
  const taken: Record<string, number> = {}
  for (const locale of found) if (locale !== undefined) taken[locale] = (taken[locale] ?? 0) + 1
  return taken
}

const firstFilled = (value: Readonly<Record<string, string>> | undefined, locales: readonly string[]) =>
  locales.find((locale) => (value?.[locale] ?? '') !== '')

/** The locale whose packshot the specification takes: English, Dutch, any. */
function findPackshot({ photos = [] }: Delivered): string | undefined {
  const usable = photos.filter(
    ({ photoType, formats }) => photoType === 'packshot' && (formats?.['large'] ?? '') !== '',
  )
  const chosen = ['en', 'nl'].find((locale) => usable.some(({ locales }) => locales?.includes(locale)))
  return usable.length === 0 ? undefined : (chosen ?? 'other')
}

async function readFallbacks(workers: number): Promise<Readonly<Record<string, Taken>>> {
  await folder.run({ tables, completeness: 'report', where: { status: { not: 'replaced' } } }, { workers })
  const profile = JSON.parse(await folder.readOut('_profile.json')) as RunProfile
  const entries = profile.localized.flatMap(({ table, fallbacks }) =>
    fallbacks.filter(({ taken }) => taken > 0).map((each) => ({ name: `${table}.${each.column}`, ...each })),
  )
  const names = [...new Set(entries.map(({ name }) => name))]
  return Object.fromEntries(
    names.map((name) => [
      name,
      Object.fromEntries(entries.filter((each) => each.name === name).map(({ locale, taken }) => [locale, taken])),
    ]),
  )
}

test('the profile of a run says how often each locale of a fallback gave the value', async () => {
  const kept = records.filter(({ status }) => status !== 'replaced')
  const found = await readFallbacks(0)
  expect(found).toMatchObject({
    'products.title': count(kept.map(({ name }) => firstFilled(name, ['en', 'fr', 'nl']))),
    'products.brand': count(kept.map(({ brands = [] }) => firstFilled(brands[0]?.name, ['fr', 'nl', 'en']))),
    'products.packshot': count(kept.map(findPackshot)),
    'brands.label': count(kept.flatMap(({ brands = [] }) => brands.map(({ name }) => firstFilled(name, ['en', 'nl'])))),
    'indications.text': count(
      kept.flatMap(({ descriptions = [] }) =>
        descriptions
          .filter(({ type }) => type === 'indication')
          .map(({ content }) => firstFilled(content, ['fr', 'nl'])),
      ),
    ),
  })
  expect(Object.keys(found['products.packshot'] ?? {})).toEqual(['en', 'nl', 'other'])
  expect(await readFallbacks(2)).toEqual(found)
})
