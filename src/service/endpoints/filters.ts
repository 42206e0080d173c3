import {
  boolean,
  identifiers,
  dateTimes,
  dateTimesOrBoolean,
  one,
  oneOrMore,
  search,
  searchOrText,
  type FilterParameter,
} from './filter-kinds.ts'
import { choice, integerId, locale, productId, text, textCode, textOrInteger } from './filter-values.ts'

/** Filters of media. The specification does not show them: these are the ones that consumers have been seen to use. */
export function mediaFilters() {
  return {
    id: identifiers(integerId('a media id')),
    published: boolean(),
    organization: oneOrMore(integerId('an organization id')),
    targetGroup: oneOrMore(text('a target group such as "public" or "pharmacist"')),
    type: oneOrMore(choice(['photo', 'frontal', 'link'])),
    photoType: oneOrMore(choice(['packshot', 'productshot', 'lifestyle_image', 'pillshot'])),
    linkType: oneOrMore(text('a link type')),
    visibleSides: oneOrMore(text('a side')),
    createdAt: dateTimes(),
    touchedAt: dateTimes(),
    updatedSince: dateTimes(),
    product: identifiers(productId()),
    available: dateTimesOrBoolean(),
    locale: oneOrMore(locale()),
  } as const satisfies Record<string, FilterParameter>
}

/** Filters of news items (specification: POST /v4/updates/query). */
export function newsFilters() {
  return {
    id: one(integerId('a news item id')),
    organization: oneOrMore(integerId('an organization id')),
    newsType: oneOrMore(choice(['product', 'organization', 'public_category', 'brand'])),
    createdAt: dateTimes(),
    updatedSince: dateTimes(),
    locale: oneOrMore(locale()),
    product: identifiers(productId()),
    publicCategory: oneOrMore(integerId('a public category id')),
    brand: oneOrMore(integerId('a brand id')),
    targetGroup: oneOrMore(text('a target group such as "public" or "pharmacist"')),
  } as const satisfies Record<string, FilterParameter>
}

/** Filters of corrections (specification: POST /v4/corrections/query). */
export function correctionFilters() {
  return {
    product: one(productId()),
    status: one(choice(['open', 'in_progress', 'handled'])),
    organization: one(integerId('an organization id')),
    search: one(text('a text to search for')),
    locale: oneOrMore(locale()),
    type: one(textOrInteger('a correction type')),
    createdBy: one(textOrInteger('a user id')),
    createdAt: dateTimes(),
  } as const satisfies Record<string, FilterParameter>
}

/** Filters of active ingredients (specification: POST /v4/active-ingredients/query). */
export function activeIngredientFilters() {
  return {
    id: identifiers(integerId('an active ingredient id')),
    search: search(),
  } as const satisfies Record<string, FilterParameter>
}

/**
 * The filters assumed of lists whose filters are not shown and whose ids are whole numbers, as in the lists that are
 * shown.
 */
export function integerListFilters() {
  return {
    id: identifiers(integerId('an id')),
    search: searchOrText(),
  } as const satisfies Record<string, FilterParameter>
}

/** The filters assumed of lists whose filters are not shown and whose ids are codes. */
export function codeListFilters() {
  return {
    id: identifiers(textCode('a code')),
    search: searchOrText(),
  } as const satisfies Record<string, FilterParameter>
}
