import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { contracts, type ContractName } from '../../../src/contracts/contracts.ts'
import type { RecordPlan } from '../../../src/records/process-block.ts'
import type { Condition } from '../../../src/records/conditions/condition.ts'
import { toRecordTable, type TombstoneKind } from '../../../src/records/record-table.ts'
import { planRecords } from '../../records/plan-records.ts'
import { conditionallyCounted, countedValues } from './counted-columns.ts'

interface NamedPlan {
  readonly name: string
  readonly contract: ContractName
  readonly plan: RecordPlan
}

/** A list of codes from a file, compared with several fields, one of them a list. */
const listedCodes: Condition = {
  from: 'ean',
  steps: [{ kind: 'field', name: 'ean' }, { kind: 'all' }],
  otherSteps: ['gtin', 'cnk'].map((name) => [{ kind: 'field', name }]),
  test: { kind: 'listed', codes: ['1', '3', '5', '7', '12', '1234567'] },
  by: 'sourceIds',
  shown: '6 codes',
}

/** Plans with everything that the fast path supports. */
export const scanPlans: readonly NamedPlan[] = [
  toPlan('paths, chains and hidden lists', 'v4/product', {
    locales: ['nl', 'de'],
    where: { status: { not: 'inactive' }, 'brands[].id': { not: [1] }, 'meta.updatedAt': { from: 0 } },
    tables: {
      products: {
        columns: [
          'id',
          'name',
          { column: 'title', from: 'name', locale: 'en', fallback: ['fr', 'nl'] },
          { column: 'any_title', from: 'name', locale: 'de', fallback: 'spec' },
          { column: 'brand', from: 'brands[0].name', locale: 'nl' },
          { column: 'second_brand', from: 'brands[1].name', locale: 'fr', fallback: ['nl'] },
          { column: 'photo_locales', from: 'photos[].locales[]' },
          { column: 'first_locales', from: 'photos[0].locales[]' },
          { column: 'second_locale', from: 'photos[].locales[1]' },
          { column: 'brand_names', from: 'brands[].name', locale: 'nl', fallback: ['fr'] },
          { column: 'organization_ids', from: 'photos[].organizations[].id' },
          { column: 'sizes', from: 'photos[].formats.large' },
          { column: 'unkeyed', from: 'photos[].formats.unkeyed[]' },
          'ean',
          'cnk',
          'gtin',
          'meta.createdAt',
          { from: 'id', column: 'again' },
        ],
      },
      more_products: { columns: ['id', 'packageQuantity', 'narcotic', 'vat', 'weightWithUnit', 'conservationLabel'] },
      photos: { each: 'photos[]', columns: 'all', where: { displayOrder: { from: 2 }, locales: 'nl' } },
      photo_organizations: { each: 'photos[].organizations[]', columns: 'all' },
      first_photo_organizations: { each: 'photos[0].organizations[]', columns: ['id', 'name'] },
      codes: { each: 'ean[]', columns: [{ column: 'code', from: '$' }] },
    },
  }),
  toPlan(
    'a list of codes',
    'v4/product',
    { tables: { products: { columns: ['id'] } }, where: { status: { not: 'inactive' } } },
    [listedCodes],
  ),
  toPlan('a database that holds less than every text', 'v4/product', {
    outputs: [{ format: 'postgres', url: 'postgres://localhost/x' }],
    tables: {
      products: { columns: ['id', 'name', 'ean', { column: 'raw', from: '$', as: 'json' }] },
      photos: { each: 'photos[]', columns: 'all' },
    },
  }),
  toPlan('conversions', 'v4/product', {
    where: { vat: { from: 6 } },
    tables: {
      products: {
        columns: [
          'id',
          { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
          { column: 'price_float', from: 'publicPrice', as: 'float', unit: 'cents' },
          { column: 'price_units', from: 'publicPrice', as: 'float', unit: 'units' },
          { column: 'created', from: 'meta.createdAt', as: 'date' },
          { column: 'created_there', from: 'meta.createdAt', as: 'date', timezone: 'America/St_Johns' },
          { column: 'deleted', from: 'officialDeletionAt', as: 'date', timezone: 'Europe/Brussels' },
          { column: 'updated', from: 'meta.updatedAt', as: 'text' },
          { column: 'updated_seconds', from: 'meta.updatedAt', as: 'integer' },
          { column: 'weight_text', from: 'weight', as: 'text' },
          { column: 'weight_float', from: 'weight', as: 'float' },
          { column: 'supplement', from: 'isANutritionSupplement', as: 'integer' },
          { column: 'vat_text', from: 'vat', as: 'text' },
          { column: 'vat_decimal', from: 'vat', as: 'decimal(6,2)' },
          { column: 'narcotic_flag', from: 'narcotic', as: 'boolean' },
          { column: 'quantity', from: 'packageQuantity', as: 'text' },
          { column: 'hs', from: 'hsCode', as: 'integer' },
          { column: 'eans', from: 'ean[]', as: 'integer' },
          { column: 'photo_times', from: 'photos[].meta.updatedAt', as: 'date' },
        ],
      },
      photos: { each: 'photos[]', columns: [{ column: 'made', from: 'meta.createdAt', as: 'timestamp' }] },
    },
  }),
  toPlan('elements chosen by locale', 'v4/product', {
    locales: ['nl', 'fr'],
    tables: {
      products: {
        columns: [
          'id',
          { column: 'image', from: 'photos[].formats.large', locale: 'nl', fallback: 'spec' },
          { column: 'image_order', from: 'photos[].displayOrder', locale: 'nl', fallback: 'spec' },
          { column: 'only_image', from: 'photos[].formats.large', locale: 'fr' },
          { column: 'some_image', from: 'photos[].formats.medium', locale: 'en', fallback: ['fr'] },
          { column: 'photo', from: 'photos[]', locale: 'en', fallback: ['nl'] },
          { column: 'photo_json', from: 'photos[]', locale: 'en', fallback: 'spec', as: 'json' },
          { column: 'unkeyed', from: 'photos[].formats.unkeyed', locale: 'nl', fallback: 'spec' },
          { column: 'first_photo_type', from: 'photos[0].photoType' },
          { column: 'taken', from: 'photos[].meta.createdAt', locale: 'nl', as: 'date' },
          { column: 'description', from: 'descriptions[].type', locale: 'nl', fallback: 'spec' },
          { column: 'leaflet', from: 'leaflets[].type', locale: 'fr', fallback: ['nl'] },
        ],
      },
      again: { columns: [{ column: 'image', from: 'photos[].formats.large', locale: 'nl', fallback: 'spec' }] },
    },
  }),
  toPlan('elements chosen by locale and conditions', 'v4/product', {
    locales: ['nl', 'fr'],
    tables: {
      products: {
        columns: [
          'id',
          ...(['large', 'medium', 'unkeyed'] as const).map((size) => ({
            column: size,
            from: `photos[].formats.${size}`,
            where: { photoType: 'packshot', targetGroups: ['public', 'patient'] },
            locale: 'nl',
            fallback: 'spec' as const,
          })),
          { column: 'image', from: 'photos[].formats.large', locale: 'nl', fallback: 'spec' },
          {
            column: 'for_nl',
            from: 'photos[].formats.large',
            where: { locales: 'nl' },
            locale: 'fr',
            fallback: ['nl'],
          },
          { column: 'no_packshot', from: 'photos[].id', where: { photoType: { not: 'packshot' } }, locale: 'nl' },
          { column: 'untyped', from: 'photos[].id', where: { photoType: null }, locale: 'fr', fallback: 'spec' },
          {
            column: 'not_public',
            from: 'photos[].formats.large',
            where: { targetGroups: { not: ['public', null] }, displayOrder: [1, 2, 3] },
            locale: 'en',
            fallback: 'spec',
          },
          {
            column: 'of_organization',
            from: 'photos[].meta.updatedAt',
            where: { 'organizations[].id': { not: [1, null] } },
            locale: 'nl',
            fallback: 'spec',
            as: 'date',
          },
          { column: 'photo_json', from: 'photos[]', where: { photoType: 'packshot' }, locale: 'nl', as: 'json' },
          {
            column: 'organizations_json',
            from: 'photos[].organizations',
            where: { photoType: { not: 'packshot' } },
            locale: 'nl',
            fallback: 'spec',
            as: 'json',
          },
          { column: 'locales', from: 'photos[].locales', where: { photoType: 'packshot' }, locale: 'nl' },
          { column: 'text', from: 'descriptions[].content', where: { type: 'indication' }, locale: 'nl' },
          {
            column: 'any_text',
            from: 'descriptions[].content',
            where: { targetGroups: { not: 'pharmacist' } },
            locale: 'en',
            fallback: 'spec',
          },
          { column: 'brand', from: 'brands[].name', where: { id: { not: 5 } }, locale: 'fr', fallback: ['nl'] },
        ],
      },
      again: {
        columns: [
          {
            column: 'image',
            from: 'photos[].formats.large',
            where: { photoType: 'packshot', targetGroups: ['public', 'patient'] },
            locale: 'nl',
            fallback: 'spec',
          },
        ],
      },
      photos: {
        each: 'photos[]',
        columns: ['id', { column: 'owner', from: 'organizations[].name', where: { id: { not: 1 } }, locale: 'nl' }],
      },
    },
  }),
  toPlan('localized objects chosen by conditions', 'v3/product', {
    tables: {
      products: {
        columns: [
          'id',
          { column: 'content', from: 'descriptions[].content', where: { type: { not: 'x' } }, locale: 'nl' },
          {
            column: 'html',
            from: 'descriptions[].content.html',
            where: { type: { not: null } },
            locale: 'fr',
            fallback: ['nl'],
          },
          {
            column: 'json',
            from: 'descriptions[].content',
            where: { locales: 'nl' },
            locale: 'nl',
            fallback: ['en'],
            as: 'json',
          },
        ],
      },
    },
  }),
  toPlan('elements chosen that have no display order', 'v3/product', {
    tables: {
      products: {
        columns: [
          { column: 'photo', from: 'photos[].formats.large', locale: 'nl', fallback: 'spec' },
          { column: 'link', from: 'links[].url', locale: 'fr', fallback: ['nl', 'en'] },
          { column: 'text', from: 'descriptions[].type', locale: 'en' },
        ],
      },
    },
  }),
  toPlan('records as they were delivered', 'v4/product', {
    tables: { products: { columns: ['id', { column: 'raw', from: '$', as: 'json' }] } },
  }),
  toPlan('records as they were delivered, unknown fields ignored', 'v3/product', {
    contract: { unknownFields: 'ignore' },
    tables: { products: { columns: [{ column: 'raw', from: '$', as: 'json' }, 'id'] } },
  }),
  toPlan('values as JSON', 'v4/product', {
    tables: {
      products: {
        columns: [
          'id',
          { column: 'title', from: 'name', locale: 'nl', fallback: ['fr'], as: 'json' },
          { column: 'names', from: 'name', as: 'json' },
          { from: 'photos', as: 'json' },
          { column: 'photo_meta', from: 'photos[].meta', as: 'json' },
          { column: 'photo_formats', from: 'photos[].formats', as: 'json' },
          { column: 'second_photo', from: 'photos[1]', as: 'json' },
          { column: 'organizations', from: 'photos[].organizations', as: 'json' },
          { from: 'ean', as: 'json' },
          { from: 'brands', as: 'json' },
          { from: 'activeIngredients', as: 'json' },
          { from: 'apbCategory', as: 'json' },
          { column: 'apb', from: 'apbCategory[]', as: 'json' },
          { from: 'weightWithUnit', as: 'json' },
          { from: 'publicCategories', as: 'json' },
          { from: 'status', as: 'json' },
          { from: 'weight', as: 'json' },
          { column: 'updated', from: 'meta.updatedAt', as: 'json' },
          { from: 'meta', as: 'json' },
        ],
      },
      photos: { each: 'photos[]', columns: ['id', { column: 'photo', from: '$', as: 'json' }] },
    },
  }),
  toPlan('values by locale as JSON', 'v3/product', {
    tables: {
      products: {
        columns: [
          { column: 'contents', from: 'descriptions[].content', as: 'json' },
          { column: 'content', from: 'descriptions[0].content', locale: 'nl', fallback: ['fr'], as: 'json' },
          { from: 'descriptions', as: 'json' },
          { from: 'photos', as: 'json' },
        ],
      },
    },
  }),
  toPlan('unknown fields and values rejected', 'v4/product', {
    contract: { unknownFields: 'reject', unknownValues: 'reject' },
  }),
  toPlan('unknown fields ignored', 'v4/product', { contract: { unknownFields: 'ignore' }, locales: ['fr'] }),
  toPlan('localized objects', 'v3/product', {
    locales: ['nl', 'fr'],
    tables: {
      products: { columns: 'all' },
      descriptions: {
        each: 'descriptions[]',
        columns: ['content', { column: 'any', from: 'content.html', locale: 'en', fallback: ['fr', 'nl'] }],
      },
    },
  }),
  { name: 'the records of a full load', contract: 'v4/product', plan: loadPlan('v4/product', 'rejected') },
  {
    name: 'the records of a delta',
    contract: 'v4/product',
    plan: loadPlan('v4/product', 'filtered', {
      where: { status: 'active' },
      tables: {
        products: {
          columns: ['id', { column: 'updated', from: 'meta.updatedAt', as: 'text' }, { from: 'photos', as: 'json' }],
        },
      },
    }),
  },
  toPlan('products of both versions', 'product', {
    where: { 'photos[].photoType': ['packshot', 'productshot', 'pillshot', null] },
    tables: {
      products: {
        columns: [
          { column: 'version', from: 'interfaceVersion' },
          'documentedPriceUnit',
          'id',
          { column: 'packshot', from: 'photos[].formats.large', where: { photoType: 'packshot' }, locale: 'nl' },
          {
            column: 'other',
            from: 'photos[].id',
            where: { photoType: { not: 'packshot' } },
            locale: 'fr',
            fallback: 'spec',
          },
          { column: 'kinds', from: 'photos[].photoType' },
          { column: 'kinds_as_json', from: 'photos[].photoType', as: 'json' },
          { column: 'first_kind', from: 'photos[0].photoType' },
          { column: 'kind_in_dutch', from: 'photos[].photoType', locale: 'nl' },
          { column: 'types', from: 'photos[].type' },
          { column: 'link_kinds', from: 'links[].linkType' },
          { from: 'frontals', as: 'json' },
          { column: 'content', from: 'descriptions[0].content.html', locale: 'nl' },
        ],
      },
      photos: {
        each: 'photos[]',
        columns: ['all', 'interfaceVersion'],
        where: { photoType: { not: 'lifestyle_image' } },
      },
      links: { each: 'links[]', columns: ['all', 'type'], where: { linkType: { not: null } } },
      frontals: { each: 'frontals[]', columns: ['documentedPriceUnit', 'photoType'] },
    },
  }),
  toPlan('columns that count values', 'v4/product', countedValues),
  toPlan('columns that count values by conditions of every kind', 'v4/product', conditionallyCounted),
  toPlan('child tables only', 'v4/media', { tables: { organizations: { each: 'organizations[]', columns: 'all' } } }),
]

/** A plan of every documented field of a contract. */
export function defaultPlan(contract: ContractName): RecordPlan {
  return planRecords({}, contract)
}

/** The plan of a load of every documented field: its tables, then the table of records. */
export function loadPlan(
  contract: ContractName,
  kind: TombstoneKind,
  config: Partial<PipelineConfig> = {},
): RecordPlan {
  const plan = planRecords(config, contract)
  const records = toRecordTable(contracts[contract], kind === 'filtered' ? 'meta.updatedAt' : null)
  return { ...plan, tables: [...plan.tables, records], tombstones: { table: plan.tables.length, kinds: [kind] } }
}

function toPlan(
  name: string,
  contract: ContractName,
  config: Partial<PipelineConfig>,
  listed: readonly Condition[] = [],
): NamedPlan {
  const plan = planRecords(config, contract)
  return { name, contract, plan: { ...plan, where: [...listed, ...plan.where] } }
}
