import { imageAddress, mediaAddress } from './addresses.ts'
import { lengthUnits, weightUnits, type Unit } from './delivery-profile.ts'
import { nameAt } from './identity.ts'
import { toJsonContent } from './prose.ts'
import { lookUp, type Scope, type Write } from './scope.ts'
import { between, childSeed, pick } from './seed.ts'
import * as lexicon from './words.ts'

export function createTextWriter(scope: Scope): Write {
  return (lookUp(texts, scope) ?? phrase)(scope)
}

type CreateText = (scope: Scope) => Write

const texts: Readonly<Record<string, CreateText>> = {
  'product.name': (scope) =>
    productName(scope, ({ brand, form, purpose, size }) => `"${brand} ${form} ${purpose} ${size}"`),
  seoName: (scope) => productName(scope, ({ brand, form, purpose }) => `"${form} ${purpose} | ${brand}"`),
  shortDescription: (scope) => productName(scope, ({ form, purpose, feature }) => `"${form}, ${purpose}, ${feature}"`),
  'photo.name': (scope) => productName(scope, ({ brand, form }) => `"${brand} ${form}"`),
  'frontal.name': (scope) => productName(scope, ({ brand, size }) => `"${brand} ${size}"`),
  'brand.name': () => numbered(brandNames()),
  'product_family.name': () => numbered(brandNames()),
  'organization.name': () => numbered(combine(lexicon.nameStarts, lexicon.organizationEnds)),
  'public_category.name': named(lexicon.categories),
  'catalog_category.name': named(lexicon.categories),
  'bcfi_category.name': named(lexicon.purposes),
  'apb_category.name': named(lexicon.apbCategoryNames),
  'active_ingredient.name': named(lexicon.ingredients),
  'galenic_shape.name': named(lexicon.forms),
  'attribute.name': named(lexicon.attributeNames),
  'dietary_restriction.name': named(lexicon.diets),
  'color.name': named(lexicon.colors),
  'species.name': named(lexicon.speciesNames),
  conservationLabel: (scope) => oneOf(lexicon.conservationLabels[scope.language]),
  title: (scope) => productName(scope, ({ purpose, feature }) => `"${purpose}: ${feature}"`),
  description: sentence,
  text: sentence,
  content: (scope) => parts(scope.run.prose(scope.language).html),
  html: (scope) => parts(scope.run.prose(scope.language).html),
  markdown: (scope) => parts(scope.run.prose(scope.language).markdown),
  reason: (scope) => oneOf(lexicon.supplyReasons[scope.language]),
  impact: (scope) => oneOf(lexicon.supplyImpacts[scope.language]),
  'endOfCommercializationData.status': () => oneOf(['announced', 'confirmed', 'ended']),
  packageContent: () => (seed) => `"${packageCount(seed)} ${pick(packagingUnits, seed)}"`,
  packageQuantity: () => writePackageQuantity,
  packagingUnit: () => oneOf(packagingUnits),
  'weightWithUnit.unit': () => unitOf(weightUnits),
  unit: () => unitOf(lengthUnits),
  'photo.type': () => oneOf(['packshot', 'productshot', 'lifestyle_image', 'pillshot']),
  'frontal.type': () => oneOf(['packshot', 'productshot']),
  'link.type': () => oneOf(linkTypes),
  'media_link.type': () => oneOf(linkTypes),
  linkType: () => oneOf(linkTypes),
  'description.type': () => oneOf(['general', 'usage', 'composition', 'indication', 'legal']),
  'correction.type': () => oneOf(['wrong_text', 'wrong_price', 'missing_photo', 'other']),
  visibleSides: () => oneOf(['front', 'back', 'left', 'right', 'top', 'bottom']),
  locale: ({ run }) => oneOf(run.locales),
  locales: ({ run }) => oneOf(toFrequent(run.locales)),
  notApplicableField: ({ run }) => oneOf(run.rootFields),
  address: () => (seed) => `"${pick(lexicon.streets, seed)} ${between(1, 400, childSeed(seed, 1))}"`,
  zipCode: () => (seed) => `"${String(seed % 10_000).padStart(4, '0')}"`,
  city: () => oneOf(lexicon.cities),
  region: () => oneOf(lexicon.regions),
  country: () => oneOf(['BE', 'NL', 'FR', 'LU', 'DE']),
  email: () => (_seed, _record, index) => `"info+${index}@example.com"`,
  'contact_information.url': () => (_seed, _record, index) => `"https://www.example.com/organizations/${index}"`,
  'leaflet.url': ({ language }) => mediaAddress((hex) => `leaflets/${hex}-${language}.pdf`),
  url: () => mediaAddress((hex) => `links/${hex}?source=catalogue&autoplay=0`),
  'formats.unkeyed': () => mediaAddress((hex) => `photos/${hex}.jpg`),
  'formats.*': ({ name }) => imageAddress(name),
}

const linkTypes = ['video', 'website', 'social_media', 'leaflet']

interface ProductWords {
  readonly brand: string
  readonly form: string
  readonly purpose: string
  readonly feature: string
  readonly size: string
}

/** Names in different languages are translations of one another, as the same seed picks the same positions. */
function productName({ language }: Scope, write: (words: ProductWords) => string): Write {
  const brands = brandNames().map(toJsonContent)
  return (seed) =>
    write({
      brand: pick(brands, childSeed(seed, 1)),
      form: pick(lexicon.forms[language], childSeed(seed, 2)),
      purpose: pick(lexicon.purposes[language], childSeed(seed, 3)),
      feature: pick(lexicon.features[language], childSeed(seed, 4)),
      size: pick(packageSizes, childSeed(seed, 5)),
    })
}

const packageSizes = ['30', '2 x 15', '50 ml', '100 ml', '250 g', '1 kg', '10 x 5 ml', '60 + 20', '0,5 l', '7,5%']

function brandNames(): string[] {
  return combine(lexicon.nameStarts, lexicon.nameEnds)
}

function combine(starts: readonly string[], ends: readonly string[]): string[] {
  return ends.flatMap((end) => starts.map((start) => `${start} ${end}`))
}

function named(names: lexicon.Words): CreateText {
  return ({ language }) => numbered(names[language])
}

/** Picks the name at the record's number, so a reference list has each name once. */
function numbered(names: readonly string[]): Write {
  const contents = names.map(toJsonContent)
  return (_seed, _record, index) => `"${nameAt(contents, index, ' ')}"`
}

function oneOf(values: readonly string[]): Write {
  const quoted = values.map((value) => JSON.stringify(value))
  return (seed) => pick(quoted, seed)
}

function unitOf(units: readonly Unit[]): Write {
  return (_seed, record) => `"${pick(units, record).name}"`
}

/** Repeats the first three locales, which are the most frequent, in an order with different neighbours. */
function toFrequent(locales: readonly string[]): string[] {
  const main = locales.slice(0, 3)
  return [...main, ...main, ...main, ...locales.slice(3)]
}

function phrase({ language }: Scope): Write {
  return (seed) =>
    `"${pick(lexicon.purposes[language], childSeed(seed, 1))}, ${pick(lexicon.features[language], childSeed(seed, 2))}"`
}

function sentence({ language, run }: Scope): Write {
  const { sentences } = run.prose(language)
  return (seed) => `"${pick(sentences, childSeed(seed, 1))}"`
}

function parts(pool: readonly string[]): Write {
  return (seed) => {
    let content = '"'
    for (let left = between(2, 4, seed); left > 0; left--) content += pick(pool, childSeed(seed, left))
    return `${content}"`
  }
}

function writePackageQuantity(seed: number): string {
  const count = packageCount(seed)
  return seed % 8 === 0 ? `"2 x ${count}"` : seed % 8 === 1 ? `"${count}"` : String(count)
}

const packagingUnits = ['st', 'ml', 'g']

function packageCount(seed: number): number {
  return pick([1, 10, 20, 30, 60, 100, 250], childSeed(seed, 1))
}
