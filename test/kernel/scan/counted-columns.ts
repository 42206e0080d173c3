import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'

/** Columns that the walk writes by itself. */
export const countedValues: Partial<PipelineConfig> = {
  locales: ['nl', 'fr'],
  tables: {
    products: {
      columns: [
        'id',
        { count: 'photos[]' },
        { column: 'packshots', count: 'photos', where: { photoType: 'packshot', targetGroups: ['public'] } },
        { column: 'large_photos', count: 'photos[].formats.large', where: { photoType: { not: 'pillshot' } } },
        { column: 'organizations', count: 'photos[].organizations[]' },
        { column: 'ingredients', count: 'activeIngredients[].id' },
        { count: 'ean' },
        { has: 'ean[]' },
        { has: 'publicPrice' },
        { has: 'name' },
        { has: 'name', locale: 'en', column: 'has_english_name' },
        { column: 'has_any_name', has: 'name', locale: 'nl', fallback: 'spec' },
        { column: 'has_brand', has: 'brands[0].name', locale: 'fr' },
        { column: 'has_packshot', has: 'photos[]', where: { photoType: 'packshot' } },
        {
          column: 'has_dutch_packshot',
          has: 'photos[].formats.large',
          where: { photoType: 'packshot' },
          locale: 'nl',
          fallback: ['fr'],
        },
        { column: 'has_text', has: 'descriptions[].content', where: { type: 'indication' } },
        { has: 'narcotic' },
      ],
    },
    photos: { each: 'photos[]', columns: ['id', { count: 'organizations' }, { has: 'formats.large' }] },
  },
}

/** Columns with conditions that only JavaScript tests. */
export const conditionallyCounted: Partial<PipelineConfig> = {
  where: { vat: { not: 6 } },
  tables: {
    products: {
      columns: [
        'id',
        { column: 'last_photos', count: 'photos[]', where: { displayOrder: { from: 2 } } },
        { column: 'owned', has: 'photos[].formats.large', where: { organizations: { some: { id: { not: null } } } } },
        { column: 'either', has: 'photos', where: { any: [{ photoType: 'packshot' }, { locales: 'fr' }] } },
        { column: 'untyped', count: 'photos', where: { photoType: '' } },
      ],
    },
    photos: { each: 'photos[]', columns: ['id', { count: 'targetGroups' }], where: { displayOrder: { from: 2 } } },
  },
}
