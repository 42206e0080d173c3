import {
  boolean,
  choice,
  code,
  float,
  integer,
  labelledText,
  list,
  localized,
  nested,
  text,
  timestamp,
} from './field-kinds.ts'

export function times() {
  return nested('meta', 'When the record was made and last changed', {
    createdAt: timestamp('Creation'),
    updatedAt: timestamp('Last change'),
  })
}

export function namedShape() {
  return { name: localized('Name'), meta: times() }
}

const organizationTypes = ['supplier', 'marketing', 'medical_professional', 'other'] as const

export function organizationShape() {
  return {
    name: localized('Name'),
    type: choice('Kind of organization', organizationTypes),
    meta: times(),
    contactInformation: nested('contact_information', 'Present only for suppliers', {
      address: text('Street and number'),
      zipCode: text('Postal code'),
      region: labelledText('Region', {
        deviation: '`{ value, label }` occurs: the label, or the value if it has none.',
      }),
      city: text('City'),
      country: text('ISO 3166 alpha-2'),
      email: text('E-mail address'),
      url: text('Web address'),
    }),
  }
}

export function publicCategoryShape() {
  return { name: localized('Name'), parent: integer('Id of the parent category; null for roots'), meta: times() }
}

export function catalogCategoryShape() {
  return {
    name: localized('Name'),
    description: localized('Description'),
    parent: code('Id of the parent category; null for roots'),
    order: integer('Sort order'),
    type: choice('Kind of category', ['medicine', 'veterinary_medicine', 'non_medical']),
  }
}

export function bcfiCategoryShape() {
  return {
    parent: code('Id of the parent category; null for roots'),
    order: integer('Sort order'),
    name: localized('Name'),
    meta: times(),
  }
}

export function galenicShapeShape() {
  return { parent: code('Code of the parent shape'), name: localized('Name') }
}

export function codedShape() {
  return { name: localized('Name') }
}

const targetGroupValues = ['public', 'pharmacist'] as const

export function targetGroups() {
  return list('Whom it is meant for', choice('Target group', targetGroupValues))
}

export function localeList(description = 'Languages it suits') {
  return list(description, text('Locale code'))
}

const photoSizes = [
  'thumbnail',
  'thumbnailWebp',
  'medium',
  'mediumWebp',
  'large',
  'largeWebp',
  'huge',
  'hugeWebp',
] as const
const frontalSizes = [...photoSizes, 'mediumJpeg', 'largeJpg'] as const

function formats(sizes: readonly string[]) {
  return nested(
    'formats',
    'Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels',
    {
      ...addresses(sizes),
      unkeyed: list('Addresses that came as a plain list, without a size', text('Image address')),
    },
    {
      prepare: toFormats,
      bareListKey: 'unkeyed',
      deviation: 'Written as a list in the specification, delivered as an object keyed by size; both are accepted.',
    },
  )
}

export const photoFormats = () => formats(photoSizes)
export const frontalFormats = () => formats(frontalSizes)

function addresses<Size extends string>(sizes: readonly Size[]) {
  const shape = Object.fromEntries(sizes.map((size) => [size, text(`Image address, ${size}`)]))
  return shape as Record<Size, ReturnType<typeof text>>
}

/** Merges a list of keyed objects. Plain addresses and a second address of a size become `unkeyed`. */
function toFormats(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const merged = new Map<string, unknown>()
  const unkeyed: unknown[] = []
  for (const item of value as readonly unknown[]) {
    if (typeof item === 'string') unkeyed.push(item)
    else if (item !== null) {
      if (typeof item !== 'object' || Array.isArray(item)) return value
      for (const [size, address] of Object.entries(item)) {
        if (size === '__proto__' || size === 'unkeyed') return value
        if ((merged.get(size) ?? null) === null) merged.set(size, address)
        else if (address !== null) unkeyed.push(address)
      }
    }
  }
  return Object.fromEntries(unkeyed.length === 0 ? merged : [...merged, ['unkeyed', unkeyed]])
}

export function linkedOrganizations() {
  return list(
    'Organizations it is linked to',
    nested(
      'organization',
      'Organization',
      { id: integer('Organization id'), ...organizationShape() },
      {
        bareKey: 'id',
        deviation: 'The item fields are not shown: bare ids and whole organizations are accepted.',
      },
    ),
  )
}

export function available() {
  return nested('available', 'When the link is available', { from: timestamp('Start'), until: timestamp('End') })
}

export function measure(description: string) {
  return nested('measure', description, {
    value: float('Amount', { deviation: 'Documented as integer; fractions occur.', plausible: { from: 0 } }),
    unit: text('Unit'),
  })
}

export function temperature(description: string) {
  return nested('temperature', description, {
    celsius: float('Degrees Celsius'),
    fahrenheit: float('Degrees Fahrenheit'),
    kelvin: float('Kelvin'),
  })
}

export function supplyProblemShape() {
  return {
    fromDate: timestamp('Start'),
    endDate: timestamp('Expected availability'),
    reason: text('Reason'),
    impact: text('Impact'),
  }
}

export function endOfCommercialization() {
  return nested('end_of_commercialization', 'End of commercialization, if any', {
    fromDate: timestamp('Start'),
    expectedEndDate: timestamp('Expected end'),
    status: text('Status'),
    reason: text('Reason'),
    impact: text('Impact'),
  })
}

export const published = () => boolean('Whether it is published')
