import { choice, code, integer, integerIdentifier, list, localized, looseText, nested, text } from './field-kinds.ts'
import { localeList, times } from './nested-records.ts'

/** A news item (specification: News item (v4 updates query result)). */
export function newsItemShape() {
  return {
    id: integerIdentifier('Unique news item id'),
    type: choice('What it is about', ['product', 'organization', 'public_category', 'brand']),
    organization: integer('Id of the creating organization'),
    title: localized('Title'),
    content: list('Content parts', nested('content', 'Content part', { locales: localeList() })),
    products: list('Product ids (type product)', code('Product id')),
    brands: list('Brand ids (type brand)', integer('Brand id')),
    categories: list('Public category ids (type public_category)', integer('Public category id')),
    meta: times(),
  }
}

/** Feedback on product data (specification: Correction (v4 corrections query result)). */
export function correctionShape() {
  return {
    id: integerIdentifier('Unique correction id'),
    product: code('Product id'),
    cnk: code('CNK code', { length: 7, deviation: 'Documented as integer, which loses leading zeros: a code.' }),
    locale: text('Locale of the feedback'),
    type: looseText('Correction type', {
      deviation: 'The list of types is served by an endpoint whose shape is not shown.',
    }),
    text: text('Feedback'),
    status: choice('State', ['open', 'in_progress', 'solved', 'closed', 'handled'], {
      deviation: 'Filters say handled where results say solved and closed; all are known.',
    }),
    meta: times(),
  }
}
