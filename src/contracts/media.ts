import { choice, type FieldNotes, integer, list, localized, localizedOf, nested, text } from './field-kinds.ts'
import {
  available,
  frontalFormats,
  linkedOrganizations,
  localeList,
  photoFormats,
  published,
  targetGroups,
  times,
} from './nested-records.ts'

const sides = list('Sides of the package that can be seen', text('Side'))
const notShown = 'The full field list is not shown; assumed from the v3 record and the media filters.'

/** A photo of a v4 product (specification: Photo). `kind`: notes on `photoType`. */
export function photoShape(kind: FieldNotes = {}) {
  return {
    locales: localeList(),
    targetGroups: targetGroups(),
    photoType: choice('Kind of photo', ['packshot', 'productshot', 'lifestyle_image', 'pillshot'], kind),
    formats: photoFormats(),
    visibleSides: sides,
    displayOrder: integer("1-based position within the product's photos"),
    meta: times(),
    organizations: linkedOrganizations(),
    name: localized('Name'),
  }
}

/** A frontal photo of a v4 product (specification: Photo). `kind`: notes on `photoType`. */
export function frontalShape(kind: FieldNotes = {}) {
  return {
    ...photoShape(),
    photoType: choice('Kind of photo', ['packshot', 'productshot'], kind),
    formats: frontalFormats(),
    displayOrder: integer("1-based position within the product's frontals"),
  }
}

/** A photo or frontal of a v3 product (specification: Product (v3 search result item)). */
export function photoV3Shape() {
  return {
    locales: localeList(),
    targetGroups: targetGroups(),
    type: text('Kind of photo'),
    formats: frontalFormats(),
    visibleSides: sides,
    meta: times(),
  }
}

export function linkV3Shape() {
  return {
    locales: localeList(),
    targetGroups: targetGroups(),
    type: text('Kind of link'),
    url: text('Address'),
    name: localized('Name'),
    description: localized('Description'),
    available: available(),
    meta: times(),
  }
}

/** A media link of v4. `kind`: notes on `linkType`. */
export function linkShape(kind: FieldNotes = {}) {
  return {
    ...linkV3Shape(),
    linkType: text('Kind of link', { deviation: notShown, ...kind }),
    displayOrder: integer('1-based position', { deviation: notShown }),
    organizations: linkedOrganizations(),
  }
}

export function mediaShape() {
  return {
    ...linkShape(),
    ...frontalShape(),
    type: choice('Kind of media item', ['photo', 'frontal', 'link'], { deviation: notShown }),
    photoType: choice('Kind of photo', ['packshot', 'productshot', 'lifestyle_image', 'pillshot']),
    displayOrder: integer('1-based position', { deviation: notShown }),
    published: published(),
    products: list('Ids of the products it is linked to', text('Product id'), { deviation: notShown }),
  }
}

export function descriptionShape() {
  return {
    locales: localeList(),
    targetGroups: targetGroups(),
    type: text('Kind of description'),
    content: localized('Text in a subset of HTML'),
    meta: times(),
  }
}

export function descriptionV3Shape() {
  const content = nested(
    'content',
    'Text',
    {
      html: text('Text in HTML'),
      markdown: text('Text in Markdown', { deprecated: 'announced as to be deprecated' }),
    },
    { bareTextKey: 'html', deviation: 'Text in place of the object, as v4 has it, is its html.' },
  )
  return { ...descriptionShape(), content: localizedOf('Text by locale', content) }
}

export function leafletShape() {
  return {
    locales: localeList(),
    type: choice('Kind of leaflet', ['pil', 'spc']),
    url: localized('Address'),
    meta: times(),
  }
}
