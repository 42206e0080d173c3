/* Made from the contracts by `npm run docs`. */
// oxlint-disable max-lines
import type { Localized } from './any-locale.ts'

/** The records of every contract, by its name. */
export interface ContractRecords {
  'v4/product': ProductV4
  'v4/media': MediaV4
  'v4/photo': PhotoV4
  'v4/frontal': FrontalV4
  'v4/media-link': MediaLinkV4
  'v4/description': DescriptionV4
  'v4/leaflet': LeafletV4
  'v4/news-item': NewsItemV4
  'v4/correction': CorrectionV4
  'v4/active-ingredient': ActiveIngredientV4
  'v4/organization': OrganizationV4
  'v4/brand': BrandV4
  'v4/product-family': ProductFamilyV4
  'v4/public-category': PublicCategoryV4
  'v4/catalog-category': CatalogCategoryV4
  'v4/apb-category': ApbCategoryV4
  'v4/bcfi-category': BcfiCategoryV4
  'v4/galenic-shape': GalenicShapeV4
  'v4/dietary-restriction': DietaryRestrictionV4
  'v4/color': ColorV4
  'v4/species': SpeciesV4
  'v4/attribute': AttributeV4
  'v3/product': ProductV3
  'v3/news-item': NewsItemV3
  'v3/correction': CorrectionV3
  'v3/active-ingredient': ActiveIngredientV3
  'v3/organization': OrganizationV3
  'v3/brand': BrandV3
  'v3/public-category': PublicCategoryV3
  'v3/apb-category': ApbCategoryV3
  'v3/bcfi-category': BcfiCategoryV3
  'v3/attribute': AttributeV3
  product: Product
  raw: RawRecord
}

/** A record of the contract `v4/product`, of the interface v4. */
export interface ProductV4 {
  /** Unique product identifier. */
  id: string
  /** State. */
  status?: 'active' | 'inactive' | 'replaced' | 'no_selection' | (string & {}) | null | undefined
  /**
   * Whether it may be sold online.
   *
   * @deprecated
   */
  ecommerce?: 'yes' | 'no' | 'unknown' | (string & {}) | null | undefined
  /** Id of the replacing product, when status is replaced. */
  replacement?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** SEO friendly name. */
  seoName?: Localized<string> | null | undefined
  /**
   * Short description.
   *
   * @deprecated
   */
  shortDescription?: Localized<string> | null | undefined
  /**
   * Whether refundability expires.
   *
   * @deprecated
   */
  expires?: boolean | null | undefined
  /**
   * Refund for trade-in.
   *
   * @deprecated
   */
  tradeInRefundValue?: number | bigint | null | undefined
  /**
   * Months before expiry that it can be traded in.
   *
   * @deprecated
   */
  tradeInMonthsBeforeExpiry?: number | bigint | null | undefined
  /**
   * Months after expiry that it can be traded in.
   *
   * @deprecated
   */
  tradeInMonthsAfterExpiry?: number | bigint | null | undefined
  /** Requires a prescription. */
  prescription?: boolean | null | undefined
  /** Requires a written request by the patient. */
  writtenRequestByPatient?: boolean | null | undefined
  /** A legal text (description) must be displayed. */
  requiresLegalText?: boolean | null | undefined
  /** Food supplement. */
  isANutritionSupplement?: boolean | null | undefined
  /** Narcotic. */
  narcotic?: 'yes' | 'no' | 'unknown' | 'assimilated' | (string & {}) | null | undefined
  /** Biocide. */
  biocide?: 'yes' | 'no' | 'unknown' | (string & {}) | null | undefined
  /** Official commercial end date. */
  officialDeletionAt?: number | null | undefined
  /** EAN codes. */
  ean?: (string | null | undefined)[] | null | undefined
  /**
   * GTIN.
   *
   * @deprecated use eanGtin14
   */
  gtin?: string | null | undefined
  /** CNK code; not every product has one. */
  cnk?: string | null | undefined
  /** EAN-8. */
  eanGtin8?: string | null | undefined
  /** EAN of 12 digits (UPC). */
  eanGtin12?: string | null | undefined
  /** EAN-13. */
  eanGtin13?: string | null | undefined
  /** EAN-14 (GTIN). */
  eanGtin14?: string | null | undefined
  /** Internal reference code a company gives the product. */
  supplierReference?: string | null | undefined
  /** Harmonised System code. */
  hsCode?: string | null | undefined
  /** UDI. */
  udi?: string | null | undefined
  /** NUT. */
  nut?: string | null | undefined
  /** Extended CTI code. */
  ctiExtended?: string | null | undefined
  /** Grouping-by-name code. */
  nameCti?: string | null | undefined
  /** Conservation. */
  conservation?: 'room' | 'refrigerator' | 'fresh' | 'frozen' | (string & {}) | null | undefined
  /** Description of the conservation type. */
  conservationLabel?: Localized<string> | null | undefined
  /** Minimum temperature. */
  conservationMin?: Temperature | null | undefined
  /** Maximum temperature. */
  conservationMax?: Temperature | null | undefined
  /** VAT rate. */
  vat?: number | null | undefined
  /** Public price, including VAT. */
  publicPrice?: number | bigint | null | undefined
  /** Purchase price for the pharmacist via wholesaler, excluding VAT. */
  pharmacistPrice?: number | bigint | null | undefined
  /** What the patient pays under the standard reimbursement regime, including VAT. */
  refundValueWithOmnio?: number | bigint | null | undefined
  /** What the patient pays under increased reimbursement, including VAT. */
  refundValueWithoutOmnio?: number | bigint | null | undefined
  /** Manufacturer catalogue price without discount, excluding VAT. */
  manufacturerPrice?: number | bigint | null | undefined
  /** Galenic shapes. */
  galenicShapes?: (GalenicShape | null | undefined)[] | null | undefined
  /**
   * Weight in grams.
   *
   * @deprecated use the *WithUnit object
   */
  weight?: number | bigint | null | undefined
  /**
   * Width in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  width?: number | bigint | null | undefined
  /**
   * Length in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  length?: number | bigint | null | undefined
  /**
   * Depth in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  depth?: number | bigint | null | undefined
  /** Weight. */
  weightWithUnit?: Measure | null | undefined
  /** Width. */
  widthWithUnit?: Measure | null | undefined
  /** Length. */
  lengthWithUnit?: Measure | null | undefined
  /** Depth. */
  depthWithUnit?: Measure | null | undefined
  /** Content of the package. */
  packageContent?: string | null | undefined
  /** Quantity in the package. */
  packageQuantity?: string | null | undefined
  /** Unit of the package. */
  packagingUnit?: string | null | undefined
  /** Fields that do not apply to the product. */
  notApplicableField?: (string | null | undefined)[] | null | undefined
  /** Public categories. */
  publicCategories?: (PublicCategory | null | undefined)[] | null | undefined
  /** Catalogue categories. */
  catalogCategories?: (CatalogCategory | null | undefined)[] | null | undefined
  /**
   * ATC code.
   *
   * @deprecated use atcCategory
   */
  atc?: string | null | undefined
  /** ATC category codes. */
  atcCategory?: (string | null | undefined)[] | null | undefined
  /** APB categories. */
  apbCategory?: (ApbCategory | null | undefined)[] | null | undefined
  /** BCFI categories. */
  bcfiCategory?: (BcfiCategory | null | undefined)[] | null | undefined
  /** Supply problems. */
  supplyProblems?: (SupplyProblem | null | undefined)[] | null | undefined
  /** End of commercialization, if any. */
  endOfCommercializationData?: EndOfCommercialization | null | undefined
  /** Brands. */
  brands?: (Brand | null | undefined)[] | null | undefined
  /** Product families. */
  productFamily?: (ProductFamily | null | undefined)[] | null | undefined
  /** Organizations. */
  organizations?: (Organization | null | undefined)[] | null | undefined
  /** Active ingredients. */
  activeIngredients?: (ActiveIngredient | null | undefined)[] | null | undefined
  /**
   * Attribute values.
   *
   * @deprecated use colors, dietaryRestrictions or galenicShapes
   */
  attributes?: (Attribute | null | undefined)[] | null | undefined
  /** Dietary restrictions. */
  dietaryRestrictions?: (DietaryRestriction | null | undefined)[] | null | undefined
  /** Colors. */
  colors?: (Color | null | undefined)[] | null | undefined
  /** Whether it is deleted. */
  deleted?: boolean | null | undefined
  /** Species it is allowed for. */
  allowedSpecies?: (Species | null | undefined)[] | null | undefined
  /** Photos. */
  photos?: (Photo | null | undefined)[] | null | undefined
  /** Frontal photos. */
  frontals?: (Frontal | null | undefined)[] | null | undefined
  /** Media links. */
  links?: (Link | null | undefined)[] | null | undefined
  /** Descriptions. */
  descriptions?: (Description | null | undefined)[] | null | undefined
  /** Leaflets. */
  leaflets?: (Leaflet | null | undefined)[] | null | undefined
  /** About the record. */
  meta?: ProductV4Meta | null | undefined
}

/** A record of the contract `v4/media`, of the interface v4. */
export interface MediaV4 {
  /** Unique media id. */
  id: number | bigint
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of media item. */
  type?: 'photo' | 'frontal' | 'link' | (string & {}) | null | undefined
  /** Address. */
  url?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Description. */
  description?: Localized<string> | null | undefined
  /** When the link is available. */
  available?: Available | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Kind of link. */
  linkType?: string | null | undefined
  /** 1-based position. */
  displayOrder?: number | bigint | null | undefined
  /** Organizations it is linked to. */
  organizations?: (Organization | null | undefined)[] | null | undefined
  /** Kind of photo. */
  photoType?: 'packshot' | 'productshot' | 'lifestyle_image' | 'pillshot' | (string & {}) | null | undefined
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats?: ProductV4FrontalFormats | null | undefined
  /** Sides of the package that can be seen. */
  visibleSides?: (string | null | undefined)[] | null | undefined
  /** Whether it is published. */
  published?: boolean | null | undefined
  /** Ids of the products it is linked to. */
  products?: (string | null | undefined)[] | null | undefined
}

/** A record of the contract `v4/photo`, of the interface v4. */
export interface PhotoV4 {
  /** Unique media id. */
  id: number | bigint
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of photo. */
  photoType?: 'packshot' | 'productshot' | 'lifestyle_image' | 'pillshot' | (string & {}) | null | undefined
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats?: Formats | null | undefined
  /** Sides of the package that can be seen. */
  visibleSides?: (string | null | undefined)[] | null | undefined
  /** 1-based position within the product's photos. */
  displayOrder?: number | bigint | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Organizations it is linked to. */
  organizations?: (Organization | null | undefined)[] | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** A record of the contract `v4/frontal`, of the interface v4. */
export interface FrontalV4 {
  /** Unique media id. */
  id: number | bigint
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of photo. */
  photoType?: 'packshot' | 'productshot' | (string & {}) | null | undefined
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats?: ProductV4FrontalFormats | null | undefined
  /** Sides of the package that can be seen. */
  visibleSides?: (string | null | undefined)[] | null | undefined
  /** 1-based position within the product's frontals. */
  displayOrder?: number | bigint | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Organizations it is linked to. */
  organizations?: (Organization | null | undefined)[] | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** A record of the contract `v4/media-link`, of the interface v4. */
export interface MediaLinkV4 {
  /** Unique media id. */
  id: number | bigint
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of link. */
  type?: string | null | undefined
  /** Address. */
  url?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Description. */
  description?: Localized<string> | null | undefined
  /** When the link is available. */
  available?: Available | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Kind of link. */
  linkType?: string | null | undefined
  /** 1-based position. */
  displayOrder?: number | bigint | null | undefined
  /** Organizations it is linked to. */
  organizations?: (Organization | null | undefined)[] | null | undefined
}

/** A record of the contract `v4/description`, of the interface v4. */
export interface DescriptionV4 {
  /** Unique description id. */
  id: number | bigint
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of description. */
  type?: string | null | undefined
  /** Text in a subset of HTML. */
  content?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v4/leaflet`, of the interface v4. */
export interface LeafletV4 {
  /** Unique leaflet id. */
  id: number | bigint
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Kind of leaflet. */
  type?: 'pil' | 'spc' | (string & {}) | null | undefined
  /** Address. */
  url?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v4/news-item`, of the interface v4. */
export interface NewsItemV4 {
  /** Unique news item id. */
  id: number | bigint
  /** What it is about. */
  type?: 'product' | 'organization' | 'public_category' | 'brand' | (string & {}) | null | undefined
  /** Id of the creating organization. */
  organization?: number | bigint | null | undefined
  /** Title. */
  title?: Localized<string> | null | undefined
  /** Content parts. */
  content?: (Content | null | undefined)[] | null | undefined
  /** Product ids (type product). */
  products?: (string | null | undefined)[] | null | undefined
  /** Brand ids (type brand). */
  brands?: (number | bigint | null | undefined)[] | null | undefined
  /** Public category ids (type public_category). */
  categories?: (number | bigint | null | undefined)[] | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v4/correction`, of the interface v4. */
export interface CorrectionV4 {
  /** Unique correction id. */
  id: number | bigint
  /** Product id. */
  product?: string | null | undefined
  /** CNK code. */
  cnk?: string | null | undefined
  /** Locale of the feedback. */
  locale?: string | null | undefined
  /** Correction type. */
  type?: string | null | undefined
  /** Feedback. */
  text?: string | null | undefined
  /** State. */
  status?: 'open' | 'in_progress' | 'solved' | 'closed' | 'handled' | (string & {}) | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v4/active-ingredient`, of the interface v4. */
export interface ActiveIngredientV4 {
  /** Unique active ingredient id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v4/organization`, of the interface v4. */
export interface OrganizationV4 {
  /** Unique organization id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Kind of organization. */
  type?: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Present only for suppliers. */
  contactInformation?: ContactInformation | null | undefined
}

/** A record of the contract `v4/brand`, of the interface v4. */
export interface BrandV4 {
  /** Unique brand id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v4/product-family`, of the interface v4. */
export interface ProductFamilyV4 {
  /** Unique product family id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v4/public-category`, of the interface v4. */
export interface PublicCategoryV4 {
  /** Unique public category id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Id of the parent category; null for roots. */
  parent?: number | bigint | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v4/catalog-category`, of the interface v4. */
export interface CatalogCategoryV4 {
  /** Unique category code. */
  id: string
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Description. */
  description?: Localized<string> | null | undefined
  /** Id of the parent category; null for roots. */
  parent?: string | null | undefined
  /** Sort order. */
  order?: number | bigint | null | undefined
  /** Kind of category. */
  type?: 'medicine' | 'veterinary_medicine' | 'non_medical' | (string & {}) | null | undefined
}

/** A record of the contract `v4/apb-category`, of the interface v4. */
export interface ApbCategoryV4 {
  /** Unique category code. */
  id: string
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** A record of the contract `v4/bcfi-category`, of the interface v4. */
export interface BcfiCategoryV4 {
  /** Unique category code. */
  id: string
  /** Id of the parent category; null for roots. */
  parent?: string | null | undefined
  /** Sort order. */
  order?: number | bigint | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v4/galenic-shape`, of the interface v4. */
export interface GalenicShapeV4 {
  /** Unique galenic shape code. */
  id: string
  /** Code of the parent shape. */
  parent?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** A record of the contract `v4/dietary-restriction`, of the interface v4. */
export interface DietaryRestrictionV4 {
  /** Unique dietary restriction code. */
  id: string
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** A record of the contract `v4/color`, of the interface v4. */
export interface ColorV4 {
  /** Unique color code. */
  id: string
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** A record of the contract `v4/species`, of the interface v4. */
export interface SpeciesV4 {
  /** Unique species code. */
  id: string
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** A record of the contract `v4/attribute`, of the interface v4. */
export interface AttributeV4 {
  /** Unique attribute option id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v3/product`, of the interface v3. */
export interface ProductV3 {
  /** Unique product identifier. */
  id: string
  /** State. */
  status?: 'active' | 'replaced' | 'inactive' | (string & {}) | null | undefined
  /**
   * Whether it may be sold online.
   *
   * @deprecated
   */
  ecommerce?: 'yes' | 'no' | 'unknown' | (string & {}) | null | undefined
  /** Id of the replacing product, when status is replaced. */
  replacement?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** SEO friendly name. */
  seoName?: Localized<string> | null | undefined
  /**
   * Short description.
   *
   * @deprecated
   */
  shortDescription?: Localized<string> | null | undefined
  /** Whether refundability expires. */
  expires?: boolean | null | undefined
  /** Refund for trade-in. */
  tradeInRefundValue?: number | bigint | null | undefined
  /** Months before expiry that it can be traded in. */
  tradeInMonthsBeforeExpiry?: number | bigint | null | undefined
  /** Months after expiry that it can be traded in. */
  tradeInMonthsAfterExpiry?: number | bigint | null | undefined
  /** Requires a prescription. */
  prescription?: boolean | null | undefined
  /** Requires a written request by the patient. */
  writtenRequestByPatient?: boolean | null | undefined
  /** A legal text (description) must be displayed. */
  requiresLegalText?: boolean | null | undefined
  /** Food supplement. */
  isANutritionSupplement?: boolean | null | undefined
  /** Official commercial end date. */
  officialDeletionAt?: number | null | undefined
  /** EAN codes. */
  ean?: (string | null | undefined)[] | null | undefined
  /** GTIN. */
  gtin?: string | null | undefined
  /** CNK code; not every product has one. */
  cnk?: string | null | undefined
  /** Internal reference code a company gives the product. */
  supplierReference?: string | null | undefined
  /** Extended CTI code. */
  ctiExtended?: string | null | undefined
  /** Conservation. */
  conservation?: 'room' | 'refrigerator' | 'fresh' | 'frozen' | (string & {}) | null | undefined
  /** VAT rate. */
  vat?: number | null | undefined
  /** Public price, including VAT. */
  publicPrice?: number | bigint | null | undefined
  /** Purchase price for the pharmacist via wholesaler, excluding VAT. */
  pharmacistPrice?: number | bigint | null | undefined
  /** What the patient pays under the standard reimbursement regime, including VAT. */
  refundValueWithOmnio?: number | bigint | null | undefined
  /** What the patient pays under increased reimbursement, including VAT. */
  refundValueWithoutOmnio?: number | bigint | null | undefined
  /** Weight in grams. */
  weight?: number | bigint | null | undefined
  /** Width in millimeters. */
  width?: number | bigint | null | undefined
  /** Length in millimeters. */
  length?: number | bigint | null | undefined
  /** Depth in millimeters. */
  depth?: number | bigint | null | undefined
  /** Content of the package. */
  packageContent?: string | null | undefined
  /** Quantity in the package. */
  packageQuantity?: string | null | undefined
  /** Unit of the package. */
  packagingUnit?: string | null | undefined
  /** Public categories. */
  publicCategories?: (PublicCategory | null | undefined)[] | null | undefined
  /**
   * ATC code.
   *
   * @deprecated use atcCategory
   */
  atc?: string | null | undefined
  /** ATC category codes. */
  atcCategory?: (string | null | undefined)[] | null | undefined
  /** APB categories. */
  apbCategory?: (ApbCategory | null | undefined)[] | null | undefined
  /** BCFI categories. */
  bcfiCategory?: (BcfiCategory | null | undefined)[] | null | undefined
  /** Brands. */
  brands?: (Brand | null | undefined)[] | null | undefined
  /** Product families. */
  productFamily?: (ProductFamily | null | undefined)[] | null | undefined
  /** Organizations. */
  organizations?: (Organization | null | undefined)[] | null | undefined
  /** Active ingredients. */
  activeIngredients?: (ActiveIngredient | null | undefined)[] | null | undefined
  /** Attribute values. */
  attributes?: (Attribute | null | undefined)[] | null | undefined
  /** Photos. */
  photos?: (ProductV3Photo | null | undefined)[] | null | undefined
  /** Frontal photos. */
  frontals?: (ProductV3Photo | null | undefined)[] | null | undefined
  /** Links. */
  links?: (ProductV3Link | null | undefined)[] | null | undefined
  /** Descriptions. */
  descriptions?: (ProductV3Description | null | undefined)[] | null | undefined
  /** Leaflets. */
  leaflets?: (Leaflet | null | undefined)[] | null | undefined
  /** About the record. */
  meta?: ProductV3Meta | null | undefined
}

/** A record of the contract `v3/news-item`, of the interface v3. */
export interface NewsItemV3 {
  /** Unique news item id. */
  id: number | bigint
  /** What it is about. */
  type?: 'product' | 'organization' | 'public_category' | 'brand' | (string & {}) | null | undefined
  /** Id of the creating organization. */
  organization?: number | bigint | null | undefined
  /** Title. */
  title?: Localized<string> | null | undefined
  /** Content parts. */
  content?: (Content | null | undefined)[] | null | undefined
  /** Product ids (type product). */
  products?: (string | null | undefined)[] | null | undefined
  /** Brand ids (type brand). */
  brands?: (number | bigint | null | undefined)[] | null | undefined
  /** Public category ids (type public_category). */
  categories?: (number | bigint | null | undefined)[] | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v3/correction`, of the interface v3. */
export interface CorrectionV3 {
  /** Unique correction id. */
  id: number | bigint
  /** Product id. */
  product?: string | null | undefined
  /** CNK code. */
  cnk?: string | null | undefined
  /** Locale of the feedback. */
  locale?: string | null | undefined
  /** Correction type. */
  type?: string | null | undefined
  /** Feedback. */
  text?: string | null | undefined
  /** State. */
  status?: 'open' | 'in_progress' | 'solved' | 'closed' | 'handled' | (string & {}) | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v3/active-ingredient`, of the interface v3. */
export interface ActiveIngredientV3 {
  /** Unique active ingredient id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v3/organization`, of the interface v3. */
export interface OrganizationV3 {
  /** Unique organization id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Kind of organization. */
  type?: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Present only for suppliers. */
  contactInformation?: ContactInformation | null | undefined
}

/** A record of the contract `v3/brand`, of the interface v3. */
export interface BrandV3 {
  /** Unique brand id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v3/public-category`, of the interface v3. */
export interface PublicCategoryV3 {
  /** Unique public category id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Id of the parent category; null for roots. */
  parent?: number | bigint | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v3/apb-category`, of the interface v3. */
export interface ApbCategoryV3 {
  /** Unique category code. */
  id: string
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** A record of the contract `v3/bcfi-category`, of the interface v3. */
export interface BcfiCategoryV3 {
  /** Unique category code. */
  id: string
  /** Id of the parent category; null for roots. */
  parent?: string | null | undefined
  /** Sort order. */
  order?: number | bigint | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `v3/attribute`, of the interface v3. */
export interface AttributeV3 {
  /** Unique attribute option id. */
  id: number | bigint
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** A record of the contract `product`. */
export interface Product {
  /** Unique product identifier. */
  id: string
  /** State. */
  status?: 'active' | 'inactive' | 'replaced' | 'no_selection' | (string & {}) | null | undefined
  /**
   * Whether it may be sold online.
   *
   * @deprecated
   */
  ecommerce?: 'yes' | 'no' | 'unknown' | (string & {}) | null | undefined
  /** Id of the replacing product, when status is replaced. */
  replacement?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** SEO friendly name. */
  seoName?: Localized<string> | null | undefined
  /**
   * Short description.
   *
   * @deprecated
   */
  shortDescription?: Localized<string> | null | undefined
  /**
   * Whether refundability expires.
   *
   * @deprecated
   */
  expires?: boolean | null | undefined
  /**
   * Refund for trade-in.
   *
   * @deprecated
   */
  tradeInRefundValue?: number | bigint | null | undefined
  /**
   * Months before expiry that it can be traded in.
   *
   * @deprecated
   */
  tradeInMonthsBeforeExpiry?: number | bigint | null | undefined
  /**
   * Months after expiry that it can be traded in.
   *
   * @deprecated
   */
  tradeInMonthsAfterExpiry?: number | bigint | null | undefined
  /** Requires a prescription. */
  prescription?: boolean | null | undefined
  /** Requires a written request by the patient. */
  writtenRequestByPatient?: boolean | null | undefined
  /** A legal text (description) must be displayed. */
  requiresLegalText?: boolean | null | undefined
  /** Food supplement. */
  isANutritionSupplement?: boolean | null | undefined
  /** Narcotic. */
  narcotic?: 'yes' | 'no' | 'unknown' | 'assimilated' | (string & {}) | null | undefined
  /** Biocide. */
  biocide?: 'yes' | 'no' | 'unknown' | (string & {}) | null | undefined
  /** Official commercial end date. */
  officialDeletionAt?: number | null | undefined
  /** EAN codes. */
  ean?: (string | null | undefined)[] | null | undefined
  /**
   * GTIN.
   *
   * @deprecated use eanGtin14
   */
  gtin?: string | null | undefined
  /** CNK code; not every product has one. */
  cnk?: string | null | undefined
  /** EAN-8. */
  eanGtin8?: string | null | undefined
  /** EAN of 12 digits (UPC). */
  eanGtin12?: string | null | undefined
  /** EAN-13. */
  eanGtin13?: string | null | undefined
  /** EAN-14 (GTIN). */
  eanGtin14?: string | null | undefined
  /** Internal reference code a company gives the product. */
  supplierReference?: string | null | undefined
  /** Harmonised System code. */
  hsCode?: string | null | undefined
  /** UDI. */
  udi?: string | null | undefined
  /** NUT. */
  nut?: string | null | undefined
  /** Extended CTI code. */
  ctiExtended?: string | null | undefined
  /** Grouping-by-name code. */
  nameCti?: string | null | undefined
  /** Conservation. */
  conservation?: 'room' | 'refrigerator' | 'fresh' | 'frozen' | (string & {}) | null | undefined
  /** Description of the conservation type. */
  conservationLabel?: Localized<string> | null | undefined
  /** Minimum temperature. */
  conservationMin?: Temperature | null | undefined
  /** Maximum temperature. */
  conservationMax?: Temperature | null | undefined
  /** VAT rate. */
  vat?: number | null | undefined
  /** Public price, including VAT. */
  publicPrice?: number | bigint | null | undefined
  /** Purchase price for the pharmacist via wholesaler, excluding VAT. */
  pharmacistPrice?: number | bigint | null | undefined
  /** What the patient pays under the standard reimbursement regime, including VAT. */
  refundValueWithOmnio?: number | bigint | null | undefined
  /** What the patient pays under increased reimbursement, including VAT. */
  refundValueWithoutOmnio?: number | bigint | null | undefined
  /** Manufacturer catalogue price without discount, excluding VAT. */
  manufacturerPrice?: number | bigint | null | undefined
  /** Galenic shapes. */
  galenicShapes?: (GalenicShape | null | undefined)[] | null | undefined
  /**
   * Weight in grams.
   *
   * @deprecated use the *WithUnit object
   */
  weight?: number | bigint | null | undefined
  /**
   * Width in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  width?: number | bigint | null | undefined
  /**
   * Length in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  length?: number | bigint | null | undefined
  /**
   * Depth in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  depth?: number | bigint | null | undefined
  /** Weight. */
  weightWithUnit?: Measure | null | undefined
  /** Width. */
  widthWithUnit?: Measure | null | undefined
  /** Length. */
  lengthWithUnit?: Measure | null | undefined
  /** Depth. */
  depthWithUnit?: Measure | null | undefined
  /** Content of the package. */
  packageContent?: string | null | undefined
  /** Quantity in the package. */
  packageQuantity?: string | null | undefined
  /** Unit of the package. */
  packagingUnit?: string | null | undefined
  /** Fields that do not apply to the product. */
  notApplicableField?: (string | null | undefined)[] | null | undefined
  /** Public categories. */
  publicCategories?: (PublicCategory | null | undefined)[] | null | undefined
  /** Catalogue categories. */
  catalogCategories?: (CatalogCategory | null | undefined)[] | null | undefined
  /**
   * ATC code.
   *
   * @deprecated use atcCategory
   */
  atc?: string | null | undefined
  /** ATC category codes. */
  atcCategory?: (string | null | undefined)[] | null | undefined
  /** APB categories. */
  apbCategory?: (ApbCategory | null | undefined)[] | null | undefined
  /** BCFI categories. */
  bcfiCategory?: (BcfiCategory | null | undefined)[] | null | undefined
  /** Supply problems. */
  supplyProblems?: (SupplyProblem | null | undefined)[] | null | undefined
  /** End of commercialization, if any. */
  endOfCommercializationData?: EndOfCommercialization | null | undefined
  /** Brands. */
  brands?: (Brand | null | undefined)[] | null | undefined
  /** Product families. */
  productFamily?: (ProductFamily | null | undefined)[] | null | undefined
  /** Organizations. */
  organizations?: (Organization | null | undefined)[] | null | undefined
  /** Active ingredients. */
  activeIngredients?: (ActiveIngredient | null | undefined)[] | null | undefined
  /**
   * Attribute values.
   *
   * @deprecated use colors, dietaryRestrictions or galenicShapes
   */
  attributes?: (Attribute | null | undefined)[] | null | undefined
  /** Dietary restrictions. */
  dietaryRestrictions?: (DietaryRestriction | null | undefined)[] | null | undefined
  /** Colors. */
  colors?: (Color | null | undefined)[] | null | undefined
  /** Whether it is deleted. */
  deleted?: boolean | null | undefined
  /** Species it is allowed for. */
  allowedSpecies?: (Species | null | undefined)[] | null | undefined
  /** Photos. */
  photos?: (ProductPhoto | null | undefined)[] | null | undefined
  /** Frontal photos. */
  frontals?: (ProductFrontal | null | undefined)[] | null | undefined
  /** Media links. */
  links?: (Link | null | undefined)[] | null | undefined
  /** Descriptions. */
  descriptions?: (ProductV3Description | null | undefined)[] | null | undefined
  /** Leaflets. */
  leaflets?: (Leaflet | null | undefined)[] | null | undefined
  /** About the record. */
  meta?: ProductV4Meta | null | undefined
}

/** A record of the contract `raw`. */
export interface RawRecord {
  /** Id, where the record has one. Its other fields are not known: the column `record` has all of it as JSON. */
  id?: string | null | undefined
}

/** Minimum temperature. */
export interface Temperature {
  /** Degrees Celsius. */
  celsius?: number | null | undefined
  /** Degrees Fahrenheit. */
  fahrenheit?: number | null | undefined
  /** Kelvin. */
  kelvin?: number | null | undefined
}

/** Galenic shape. */
export interface GalenicShape {
  /** Code. */
  id?: string | null | undefined
  /** Code of the parent shape. */
  parent?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** Weight. */
export interface Measure {
  /** Amount. */
  value?: number | null | undefined
  /** Unit. */
  unit?: string | null | undefined
}

/** When the record was made and last changed. */
export interface Meta {
  /** Creation. */
  createdAt?: number | null | undefined
  /** Last change. */
  updatedAt?: number | null | undefined
}

/** Public category. */
export interface PublicCategory {
  /** Category id. */
  id?: number | bigint | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Id of the parent category; null for roots. */
  parent?: number | bigint | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** Catalogue category. */
export interface CatalogCategory {
  /** Category id. */
  id?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Description. */
  description?: Localized<string> | null | undefined
  /** Id of the parent category; null for roots. */
  parent?: string | null | undefined
  /** Sort order. */
  order?: number | bigint | null | undefined
  /** Kind of category. */
  type?: 'medicine' | 'veterinary_medicine' | 'non_medical' | (string & {}) | null | undefined
}

/** APB category. */
export interface ApbCategory {
  /** APB category code. */
  id?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** BCFI category. */
export interface BcfiCategory {
  /** Category id. */
  id?: string | null | undefined
  /** Id of the parent category; null for roots. */
  parent?: string | null | undefined
  /** Sort order. */
  order?: number | bigint | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** Supply problem. */
export interface SupplyProblem {
  /** Start. */
  fromDate?: number | null | undefined
  /** Expected availability. */
  endDate?: number | null | undefined
  /** Reason. */
  reason?: string | null | undefined
  /** Impact. */
  impact?: string | null | undefined
}

/** End of commercialization, if any. */
export interface EndOfCommercialization {
  /** Start. */
  fromDate?: number | null | undefined
  /** Expected end. */
  expectedEndDate?: number | null | undefined
  /** Status. */
  status?: string | null | undefined
  /** Reason. */
  reason?: string | null | undefined
  /** Impact. */
  impact?: string | null | undefined
}

/** Brand. */
export interface Brand {
  /** Brand id. */
  id?: number | bigint | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** Product family. */
export interface ProductFamily {
  /** Product family id. */
  id?: number | bigint | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** Present only for suppliers. */
export interface ContactInformation {
  /** Street and number. */
  address?: string | null | undefined
  /** Postal code. */
  zipCode?: string | null | undefined
  /** Region. */
  region?: string | null | undefined
  /** City. */
  city?: string | null | undefined
  /** ISO 3166 alpha-2. */
  country?: string | null | undefined
  /** E-mail address. */
  email?: string | null | undefined
  /** Web address. */
  url?: string | null | undefined
}

/** Organization. */
export interface Organization {
  /** Organization id. */
  id?: number | bigint | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Kind of organization. */
  type?: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Present only for suppliers. */
  contactInformation?: ContactInformation | null | undefined
}

/** Active ingredient. */
export interface ActiveIngredient {
  /** Active ingredient id. */
  id?: number | bigint | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** Attribute value. */
export interface Attribute {
  /** Attribute option id. */
  id?: number | bigint | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** Dietary restriction. */
export interface DietaryRestriction {
  /** Dietary restriction code. */
  id?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** Color. */
export interface Color {
  /** Color code. */
  id?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** Species. */
export interface Species {
  /** Species id. */
  id?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
export interface Formats {
  /** Image address, thumbnail. */
  thumbnail?: string | null | undefined
  /** Image address, thumbnailWebp. */
  thumbnailWebp?: string | null | undefined
  /** Image address, medium. */
  medium?: string | null | undefined
  /** Image address, mediumWebp. */
  mediumWebp?: string | null | undefined
  /** Image address, large. */
  large?: string | null | undefined
  /** Image address, largeWebp. */
  largeWebp?: string | null | undefined
  /** Image address, huge. */
  huge?: string | null | undefined
  /** Image address, hugeWebp. */
  hugeWebp?: string | null | undefined
  /** Addresses that came as a plain list, without a size. */
  unkeyed?: (string | null | undefined)[] | null | undefined
}

/** Photo. */
export interface Photo {
  /** Media id. */
  id?: number | bigint | null | undefined
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of photo. */
  photoType?: 'packshot' | 'productshot' | 'lifestyle_image' | 'pillshot' | (string & {}) | null | undefined
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats?: Formats | null | undefined
  /** Sides of the package that can be seen. */
  visibleSides?: (string | null | undefined)[] | null | undefined
  /** 1-based position within the product's photos. */
  displayOrder?: number | bigint | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Organizations it is linked to. */
  organizations?: (Organization | null | undefined)[] | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
export interface ProductV4FrontalFormats {
  /** Image address, thumbnail. */
  thumbnail?: string | null | undefined
  /** Image address, thumbnailWebp. */
  thumbnailWebp?: string | null | undefined
  /** Image address, medium. */
  medium?: string | null | undefined
  /** Image address, mediumWebp. */
  mediumWebp?: string | null | undefined
  /** Image address, large. */
  large?: string | null | undefined
  /** Image address, largeWebp. */
  largeWebp?: string | null | undefined
  /** Image address, huge. */
  huge?: string | null | undefined
  /** Image address, hugeWebp. */
  hugeWebp?: string | null | undefined
  /** Image address, mediumJpeg. */
  mediumJpeg?: string | null | undefined
  /** Image address, largeJpg. */
  largeJpg?: string | null | undefined
  /** Addresses that came as a plain list, without a size. */
  unkeyed?: (string | null | undefined)[] | null | undefined
}

/** Frontal photo. */
export interface Frontal {
  /** Media id. */
  id?: number | bigint | null | undefined
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of photo. */
  photoType?: 'packshot' | 'productshot' | (string & {}) | null | undefined
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats?: ProductV4FrontalFormats | null | undefined
  /** Sides of the package that can be seen. */
  visibleSides?: (string | null | undefined)[] | null | undefined
  /** 1-based position within the product's frontals. */
  displayOrder?: number | bigint | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Organizations it is linked to. */
  organizations?: (Organization | null | undefined)[] | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
}

/** When the link is available. */
export interface Available {
  /** Start. */
  from?: number | null | undefined
  /** End. */
  until?: number | null | undefined
}

/** Media link. */
export interface Link {
  /** Media id. */
  id?: number | bigint | null | undefined
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of link. */
  type?: string | null | undefined
  /** Address. */
  url?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Description. */
  description?: Localized<string> | null | undefined
  /** When the link is available. */
  available?: Available | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Kind of link. */
  linkType?: string | null | undefined
  /** 1-based position. */
  displayOrder?: number | bigint | null | undefined
  /** Organizations it is linked to. */
  organizations?: (Organization | null | undefined)[] | null | undefined
}

/** Description. */
export interface Description {
  /** Description id. */
  id?: number | bigint | null | undefined
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of description. */
  type?: string | null | undefined
  /** Text in a subset of HTML. */
  content?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** Leaflet. */
export interface Leaflet {
  /** Leaflet id. */
  id?: number | bigint | null | undefined
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Kind of leaflet. */
  type?: 'pil' | 'spc' | (string & {}) | null | undefined
  /** Address. */
  url?: Localized<string> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** About the record. */
export interface ProductV4Meta {
  /** Creation; may be null. */
  createdAt?: number | null | undefined
  /** Last change, photos and links included. */
  updatedAt?: number | null | undefined
  /** Pre-signed address of the embeddable page, valid for a few hours. */
  embedUrl?: string | null | undefined
  /** Public page, valid for 6 months. */
  publicPageUrl?: string | null | undefined
}

/** Content part. */
export interface Content {
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Text. */
  text?: Localized<string> | null | undefined
}

/** Photo. */
export interface ProductV3Photo {
  /** Photo id. */
  id?: number | bigint | null | undefined
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of photo. */
  type?: string | null | undefined
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats?: ProductV4FrontalFormats | null | undefined
  /** Sides of the package that can be seen. */
  visibleSides?: (string | null | undefined)[] | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** Link. */
export interface ProductV3Link {
  /** Link id. */
  id?: number | bigint | null | undefined
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of link. */
  type?: string | null | undefined
  /** Address. */
  url?: string | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Description. */
  description?: Localized<string> | null | undefined
  /** When the link is available. */
  available?: Available | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** Text. */
export interface ProductV3DescriptionContent {
  /** Text in HTML. */
  html?: string | null | undefined
  /**
   * Text in Markdown.
   *
   * @deprecated announced as to be deprecated
   */
  markdown?: string | null | undefined
}

/** Description. */
export interface ProductV3Description {
  /** Description id. */
  id?: number | bigint | null | undefined
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of description. */
  type?: string | null | undefined
  /** Text by locale. */
  content?: Localized<ProductV3DescriptionContent> | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
}

/** About the record. */
export interface ProductV3Meta {
  /** Creation; may be null. */
  createdAt?: number | null | undefined
  /** Last change, photos and links included. */
  updatedAt?: number | null | undefined
  /** Pre-signed address of the embeddable page, valid for a few hours. */
  embedUrl?: string | null | undefined
}

/** Photo. */
export interface ProductPhoto {
  /** Media id. */
  id?: number | bigint | null | undefined
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of photo. */
  photoType?: 'packshot' | 'productshot' | 'lifestyle_image' | 'pillshot' | (string & {}) | null | undefined
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats?: ProductV4FrontalFormats | null | undefined
  /** Sides of the package that can be seen. */
  visibleSides?: (string | null | undefined)[] | null | undefined
  /** 1-based position within the product's photos. */
  displayOrder?: number | bigint | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Organizations it is linked to. */
  organizations?: (Organization | null | undefined)[] | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Kind of photo. */
  type?: string | null | undefined
}

/** Frontal photo. */
export interface ProductFrontal {
  /** Media id. */
  id?: number | bigint | null | undefined
  /** Languages it suits. */
  locales?: (string | null | undefined)[] | null | undefined
  /** Whom it is meant for. */
  targetGroups?: ('public' | 'pharmacist' | (string & {}) | null | undefined)[] | null | undefined
  /** Kind of photo. */
  photoType?: 'packshot' | 'productshot' | (string & {}) | null | undefined
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats?: ProductV4FrontalFormats | null | undefined
  /** Sides of the package that can be seen. */
  visibleSides?: (string | null | undefined)[] | null | undefined
  /** 1-based position within the product's frontals. */
  displayOrder?: number | bigint | null | undefined
  /** When the record was made and last changed. */
  meta?: Meta | null | undefined
  /** Organizations it is linked to. */
  organizations?: (Organization | null | undefined)[] | null | undefined
  /** Name. */
  name?: Localized<string> | null | undefined
  /** Kind of photo. */
  type?: string | null | undefined
}
