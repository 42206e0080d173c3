import {
  boolean,
  choice,
  code,
  float,
  identifier,
  integer,
  list,
  localized,
  looseText,
  money,
  nested,
  text,
  timestamp,
  type FieldNotes,
} from './field-kinds.ts'
import {
  descriptionShape,
  descriptionV3Shape,
  frontalShape,
  leafletShape,
  linkShape,
  linkV3Shape,
  photoShape,
  photoV3Shape,
} from './media.ts'
import {
  bcfiCategoryShape,
  catalogCategoryShape,
  codedShape,
  endOfCommercialization,
  galenicShapeShape,
  measure,
  namedShape,
  organizationShape,
  publicCategoryShape,
  supplyProblemShape,
  temperature,
} from './nested-records.ts'

const codesVary = 'Codes come as whole numbers and as text, scalar and list, with and without leading zeros.'
const oneOrList = 'A list in v4, a single object in v3; both forms are accepted in both.'
const itemsNotShown = 'The item fields are not shown; those of v3 are assumed.'

/** A product of the v4 query and stream (specification: Product (v4 query result item)). */
export function productV4Shape() {
  return {
    id: identifier('Unique product identifier'),
    status: choice('State', ['active', 'inactive', 'replaced', 'no_selection']),
    ...sharedIdentity({ deprecated: true }),
    narcotic: choice('Narcotic', ['yes', 'no', 'unknown', 'assimilated'], {
      deviation: 'Booleans occur in other markets: kept as text and counted as drift.',
    }),
    biocide: choice('Biocide', ['yes', 'no', 'unknown']),
    officialDeletionAt: timestamp('Official commercial end date'),
    ...sharedCodes('use eanGtin14'),
    eanGtin8: code('EAN-8', { length: 8, deviation: codesVary }),
    eanGtin12: code('EAN of 12 digits (UPC)', { length: 12, deviation: codesVary }),
    eanGtin13: code('EAN-13', { length: 13, deviation: codesVary }),
    eanGtin14: code('EAN-14 (GTIN)', { length: 14, deviation: codesVary }),
    supplierReference: code('Internal reference code a company gives the product'),
    hsCode: code('Harmonised System code', {
      deviation: 'Filters show it as text or whole number: a code, not a quantity.',
    }),
    udi: code('UDI'),
    nut: code('NUT'),
    ctiExtended: code('Extended CTI code'),
    nameCti: code('Grouping-by-name code'),
    conservation: choice('Conservation', ['room', 'refrigerator', 'fresh', 'frozen']),
    conservationLabel: localized('Description of the conservation type', {
      deviation: 'The type is not shown: plain text and localized text are accepted.',
    }),
    conservationMin: temperature('Minimum temperature'),
    conservationMax: temperature('Maximum temperature'),
    vat: float('VAT rate', { plausible: { from: 0, until: 100 } }),
    ...sharedPrices(),
    manufacturerPrice: money('Manufacturer catalogue price without discount, excluding VAT'),
    galenicShapes: list(
      'Galenic shapes',
      nested('galenic_shape', 'Galenic shape', { id: code('Code'), ...galenicShapeShape() }),
    ),
    ...sharedMeasures('use the *WithUnit object'),
    weightWithUnit: measure('Weight'),
    widthWithUnit: measure('Width'),
    lengthWithUnit: measure('Length'),
    depthWithUnit: measure('Depth'),
    ...sharedPackage(),
    notApplicableField: list('Fields that do not apply to the product', text('Field name')),
    publicCategories: list('Public categories', publicCategory()),
    catalogCategories: list(
      'Catalogue categories',
      nested('catalog_category', 'Catalogue category', { id: code('Category id'), ...catalogCategoryShape() }),
    ),
    ...sharedClassification(),
    supplyProblems: list('Supply problems', nested('supply_problem', 'Supply problem', supplyProblemShape())),
    endOfCommercializationData: endOfCommercialization(),
    ...sharedLinks(),
    attributes: list('Attribute values', attribute(), {
      deprecated: 'use colors, dietaryRestrictions or galenicShapes',
      deviation: itemsNotShown,
    }),
    dietaryRestrictions: list('Dietary restrictions', coded('dietary_restriction', 'Dietary restriction')),
    colors: list('Colors', coded('color', 'Color')),
    deleted: boolean('Whether it is deleted'),
    allowedSpecies: list(
      'Species it is allowed for',
      nested(
        'species',
        'Species',
        { id: code('Species id'), ...codedShape() },
        {
          deviation: 'Documented as integer ids while the filter takes names: both are kept as text.',
        },
      ),
    ),
    photos: list('Photos', nested('photo', 'Photo', { id: mediaId(), ...photoShape() })),
    frontals: list('Frontal photos', nested('frontal', 'Frontal photo', { id: mediaId(), ...frontalShape() })),
    links: list('Media links', nested('link', 'Media link', { id: integer('Media id'), ...linkShape() })),
    descriptions: list(
      'Descriptions',
      nested('description', 'Description', { id: integer('Description id'), ...descriptionShape() }),
    ),
    leaflets: leaflets(),
    meta: nested('meta', 'About the record', {
      ...metaTimes(),
      publicPageUrl: text('Public page, valid for 6 months', { volatile: true }),
    }),
  }
}

/** A product of the v3 search and export (specification: Product (v3 search result item)). */
export function productV3Shape() {
  return {
    id: identifier('Unique product identifier', {
      deviation: 'Documented as integer, but filters and deliveries have letters: always text in a row.',
    }),
    status: choice('State', ['active', 'replaced', 'inactive']),
    ...sharedIdentity(),
    officialDeletionAt: timestamp('Official commercial end date'),
    ...sharedCodes(),
    supplierReference: code('Internal reference code a company gives the product'),
    ctiExtended: code('Extended CTI code'),
    conservation: choice('Conservation', ['room', 'refrigerator', 'fresh', 'frozen']),
    vat: float('VAT rate', { plausible: { from: 0, until: 100 } }),
    ...sharedPrices(),
    ...sharedMeasures(),
    ...sharedPackage(),
    publicCategories: list('Public categories', publicCategory()),
    ...sharedClassification(),
    ...sharedLinks(),
    attributes: list('Attribute values', attribute()),
    photos: list('Photos', nested('photo', 'Photo', { id: integer('Photo id'), ...photoV3Shape() })),
    frontals: list(
      'Frontal photos',
      nested('frontal', 'Frontal photo', { id: integer('Photo id'), ...photoV3Shape() }),
    ),
    links: list('Links', nested('link', 'Link', { id: integer('Link id'), ...linkV3Shape() })),
    descriptions: descriptionsV3(),
    leaflets: leaflets(),
    meta: nested('meta', 'About the record', metaTimes()),
  }
}

/**
 * A product of either version in one set of fields: those of v4, with the forms that v3 has. One member has the kind of
 * a photo, frontal photo or link, whichever member delivers it.
 */
export function productShape() {
  const kind = { orFrom: 'type' } as const
  const { type, formats } = photoV3Shape()
  const photo = { id: mediaId(), ...photoShape(kind), type, formats }
  const frontal = { id: mediaId(), ...frontalShape(kind), type, formats }
  return {
    ...productV4Shape(),
    photos: list('Photos', nested('photo', 'Photo', photo)),
    frontals: list('Frontal photos', nested('frontal', 'Frontal photo', frontal)),
    links: list('Media links', nested('link', 'Media link', { id: integer('Media id'), ...linkShape(kind) })),
    descriptions: descriptionsV3(),
  }
}

function sharedIdentity(inV4: FieldNotes = {}) {
  return {
    ecommerce: choice('Whether it may be sold online', ['yes', 'no', 'unknown'], { deprecated: true }),
    replacement: code('Id of the replacing product, when status is replaced'),
    name: localized('Name'),
    seoName: localized('SEO friendly name'),
    shortDescription: localized('Short description', { deprecated: true }),
    expires: boolean('Whether refundability expires', inV4),
    tradeInRefundValue: money('Refund for trade-in', inV4),
    tradeInMonthsBeforeExpiry: integer('Months before expiry that it can be traded in', inV4),
    tradeInMonthsAfterExpiry: integer('Months after expiry that it can be traded in', inV4),
    prescription: boolean('Requires a prescription'),
    writtenRequestByPatient: boolean('Requires a written request by the patient'),
    requiresLegalText: boolean('A legal text (description) must be displayed'),
    isANutritionSupplement: boolean('Food supplement'),
  }
}

function sharedCodes(gtinDeprecated?: string) {
  return {
    ean: list('EAN codes', code('EAN', { deviation: codesVary }), { orOne: true, deviation: codesVary }),
    gtin: code('GTIN', {
      deviation: codesVary,
      ...(gtinDeprecated === undefined ? {} : { deprecated: gtinDeprecated }),
    }),
    cnk: code('CNK code; not every product has one', {
      length: 7,
      deviation: 'Documented as text; whole numbers without the leading zeros occur.',
    }),
  }
}

function sharedPrices() {
  return {
    publicPrice: money('Public price, including VAT'),
    pharmacistPrice: money('Purchase price for the pharmacist via wholesaler, excluding VAT'),
    refundValueWithOmnio: money('What the patient pays under the standard reimbursement regime, including VAT'),
    refundValueWithoutOmnio: money('What the patient pays under increased reimbursement, including VAT'),
  }
}

function sharedMeasures(deprecated?: string) {
  const notes = { plausible: { from: 0 }, ...(deprecated !== undefined && { deprecated }) }
  return {
    weight: integer('Weight in grams', notes),
    width: integer('Width in millimeters', notes),
    length: integer('Length in millimeters', notes),
    depth: integer('Depth in millimeters', notes),
  }
}

function sharedPackage() {
  return {
    packageContent: text('Content of the package'),
    packageQuantity: looseText('Quantity in the package', {
      deviation: 'Documented as integer; text such as "2 x 15" occurs, so the column is text.',
    }),
    packagingUnit: text('Unit of the package'),
  }
}

function sharedClassification() {
  return {
    atc: code('ATC code', { deprecated: 'use atcCategory' }),
    atcCategory: list('ATC category codes', code('ATC category code')),
    apbCategory: list('APB categories', coded('apb_category', 'APB category'), { orOne: true, deviation: oneOrList }),
    bcfiCategory: list(
      'BCFI categories',
      nested('bcfi_category', 'BCFI category', { id: code('Category id'), ...bcfiCategoryShape() }),
      { orOne: true, deviation: oneOrList },
    ),
  }
}

function sharedLinks() {
  return {
    brands: list('Brands', nested('brand', 'Brand', { id: integer('Brand id'), ...namedShape() })),
    productFamily: list(
      'Product families',
      nested('product_family', 'Product family', { id: integer('Product family id'), ...namedShape() }),
      { orOne: true },
    ),
    organizations: list(
      'Organizations',
      nested('organization', 'Organization', { id: integer('Organization id'), ...organizationShape() }),
    ),
    activeIngredients: list(
      'Active ingredients',
      nested('active_ingredient', 'Active ingredient', { id: integer('Active ingredient id'), ...namedShape() }),
    ),
  }
}

function publicCategory() {
  return nested('public_category', 'Public category', { id: integer('Category id'), ...publicCategoryShape() })
}

function attribute() {
  return nested('attribute', 'Attribute value', { id: integer('Attribute option id'), ...namedShape() })
}

function coded(record: string, description: string) {
  return nested(record, description, { id: code(`${description} code`), ...codedShape() })
}

function descriptionsV3() {
  const description = { id: integer('Description id'), ...descriptionV3Shape() }
  return list('Descriptions', nested('description', 'Description', description))
}

function leaflets() {
  return list('Leaflets', nested('leaflet', 'Leaflet', { id: integer('Leaflet id'), ...leafletShape() }))
}

function mediaId() {
  return integer('Media id', { deviation: 'Not in the table of the photo; the media stream and v3 have it.' })
}

function metaTimes() {
  return {
    createdAt: timestamp('Creation; may be null'),
    updatedAt: timestamp('Last change, photos and links included'),
    embedUrl: text('Pre-signed address of the embeddable page, valid for a few hours', { volatile: true }),
  }
}
