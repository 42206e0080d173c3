/* Made from the contracts by `npm run docs`. */
// oxlint-disable max-lines
import type { JsonCell } from '../../types/json-cell.ts'

/** One row a product. */
export interface ProductsV4Row {
  /** Unique product identifier. */
  id: string
  /** State. */
  status: 'active' | 'inactive' | 'replaced' | 'no_selection' | (string & {}) | null
  /**
   * Whether it may be sold online.
   *
   * @deprecated
   */
  ecommerce: 'yes' | 'no' | 'unknown' | (string & {}) | null
  /** Id of the replacing product, when status is replaced. */
  replacement: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** SEO friendly name (locale nl). */
  seo_name_nl: string | null
  /** SEO friendly name (locale fr). */
  seo_name_fr: string | null
  /** SEO friendly name (locale en). */
  seo_name_en: string | null
  /**
   * Short description (locale nl).
   *
   * @deprecated
   */
  short_description_nl: string | null
  /**
   * Short description (locale fr).
   *
   * @deprecated
   */
  short_description_fr: string | null
  /**
   * Short description (locale en).
   *
   * @deprecated
   */
  short_description_en: string | null
  /**
   * Whether refundability expires.
   *
   * @deprecated
   */
  expires: boolean | null
  /**
   * Refund for trade-in (money, the whole number as delivered).
   *
   * @deprecated
   */
  trade_in_refund_value: number | bigint | null
  /**
   * Months before expiry that it can be traded in.
   *
   * @deprecated
   */
  trade_in_months_before_expiry: number | bigint | null
  /**
   * Months after expiry that it can be traded in.
   *
   * @deprecated
   */
  trade_in_months_after_expiry: number | bigint | null
  /** Requires a prescription. */
  prescription: boolean | null
  /** Requires a written request by the patient. */
  written_request_by_patient: boolean | null
  /** A legal text (description) must be displayed. */
  requires_legal_text: boolean | null
  /** Food supplement. */
  is_a_nutrition_supplement: boolean | null
  /** Narcotic. */
  narcotic: 'yes' | 'no' | 'unknown' | 'assimilated' | (string & {}) | null
  /** Biocide. */
  biocide: 'yes' | 'no' | 'unknown' | (string & {}) | null
  /** Official commercial end date. */
  official_deletion_at: Date | null
  /** EAN codes. */
  ean: (string | null)[] | null
  /**
   * GTIN.
   *
   * @deprecated use eanGtin14
   */
  gtin: string | null
  /** CNK code; not every product has one. */
  cnk: string | null
  /** EAN-8. */
  ean_gtin8: string | null
  /** EAN of 12 digits (UPC). */
  ean_gtin12: string | null
  /** EAN-13. */
  ean_gtin13: string | null
  /** EAN-14 (GTIN). */
  ean_gtin14: string | null
  /** Internal reference code a company gives the product. */
  supplier_reference: string | null
  /** Harmonised System code. */
  hs_code: string | null
  /** UDI. */
  udi: string | null
  /** NUT. */
  nut: string | null
  /** Extended CTI code. */
  cti_extended: string | null
  /** Grouping-by-name code. */
  name_cti: string | null
  /** Conservation. */
  conservation: 'room' | 'refrigerator' | 'fresh' | 'frozen' | (string & {}) | null
  /** Description of the conservation type (locale nl). */
  conservation_label_nl: string | null
  /** Description of the conservation type (locale fr). */
  conservation_label_fr: string | null
  /** Description of the conservation type (locale en). */
  conservation_label_en: string | null
  /** Minimum temperature: Degrees Celsius. */
  conservation_min_celsius: number | null
  /** Minimum temperature: Degrees Fahrenheit. */
  conservation_min_fahrenheit: number | null
  /** Minimum temperature: Kelvin. */
  conservation_min_kelvin: number | null
  /** Maximum temperature: Degrees Celsius. */
  conservation_max_celsius: number | null
  /** Maximum temperature: Degrees Fahrenheit. */
  conservation_max_fahrenheit: number | null
  /** Maximum temperature: Kelvin. */
  conservation_max_kelvin: number | null
  /** VAT rate. */
  vat: number | null
  /** Public price, including VAT (money, the whole number as delivered). */
  public_price: number | bigint | null
  /** Purchase price for the pharmacist via wholesaler, excluding VAT (money, the whole number as delivered). */
  pharmacist_price: number | bigint | null
  /** What the patient pays under the standard reimbursement regime, including VAT (money, the whole number as delivered). */
  refund_value_with_omnio: number | bigint | null
  /** What the patient pays under increased reimbursement, including VAT (money, the whole number as delivered). */
  refund_value_without_omnio: number | bigint | null
  /** Manufacturer catalogue price without discount, excluding VAT (money, the whole number as delivered). */
  manufacturer_price: number | bigint | null
  /**
   * Weight in grams.
   *
   * @deprecated use the *WithUnit object
   */
  weight: number | bigint | null
  /**
   * Width in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  width: number | bigint | null
  /**
   * Length in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  length: number | bigint | null
  /**
   * Depth in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  depth: number | bigint | null
  /** Weight: Amount. */
  weight_with_unit_value: number | null
  /** Weight: Unit. */
  weight_with_unit_unit: string | null
  /** Width: Amount. */
  width_with_unit_value: number | null
  /** Width: Unit. */
  width_with_unit_unit: string | null
  /** Length: Amount. */
  length_with_unit_value: number | null
  /** Length: Unit. */
  length_with_unit_unit: string | null
  /** Depth: Amount. */
  depth_with_unit_value: number | null
  /** Depth: Unit. */
  depth_with_unit_unit: string | null
  /** Content of the package. */
  package_content: string | null
  /** Quantity in the package. */
  package_quantity: string | null
  /** Unit of the package. */
  packaging_unit: string | null
  /** Fields that do not apply to the product. */
  not_applicable_field: (string | null)[] | null
  /**
   * ATC code.
   *
   * @deprecated use atcCategory
   */
  atc: string | null
  /** ATC category codes. */
  atc_category: (string | null)[] | null
  /** End of commercialization, if any: Start. */
  end_of_commercialization_data_from_date: Date | null
  /** End of commercialization, if any: Expected end. */
  end_of_commercialization_data_expected_end_date: Date | null
  /** End of commercialization, if any: Status. */
  end_of_commercialization_data_status: string | null
  /** End of commercialization, if any: Reason. */
  end_of_commercialization_data_reason: string | null
  /** End of commercialization, if any: Impact. */
  end_of_commercialization_data_impact: string | null
  /** Whether it is deleted. */
  deleted: boolean | null
  /** About the record: Creation; may be null. */
  meta_created_at: Date | null
  /** About the record: Last change, photos and links included. */
  meta_updated_at: Date | null
  /** About the record: Pre-signed address of the embeddable page, valid for a few hours. */
  meta_embed_url: string | null
  /** About the record: Public page, valid for 6 months. */
  meta_public_page_url: string | null
}

/** One row an element of galenicShapes[] (Galenic shapes) of a product. */
export interface ProductGalenicShapesV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in galenicShapes[], from 1. */
  position: number
  /** Code. */
  id: string | null
  /** Code of the parent shape. */
  parent: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row an element of publicCategories[] (Public categories) of a product. */
export interface ProductPublicCategoriesV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in publicCategories[], from 1. */
  position: number
  /** Category id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Id of the parent category; null for roots. */
  parent: number | bigint | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of catalogCategories[] (Catalogue categories) of a product. */
export interface ProductCatalogCategoriesV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in catalogCategories[], from 1. */
  position: number
  /** Category id. */
  id: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Description (locale nl). */
  description_nl: string | null
  /** Description (locale fr). */
  description_fr: string | null
  /** Description (locale en). */
  description_en: string | null
  /** Id of the parent category; null for roots. */
  parent: string | null
  /** Sort order. */
  order: number | bigint | null
  /** Kind of category. */
  type: 'medicine' | 'veterinary_medicine' | 'non_medical' | (string & {}) | null
}

/** One row an element of apbCategory[] (APB categories) of a product. */
export interface ProductApbCategoryV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in apbCategory[], from 1. */
  position: number
  /** APB category code. */
  id: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row an element of bcfiCategory[] (BCFI categories) of a product. */
export interface ProductBcfiCategoryV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in bcfiCategory[], from 1. */
  position: number
  /** Category id. */
  id: string | null
  /** Id of the parent category; null for roots. */
  parent: string | null
  /** Sort order. */
  order: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of supplyProblems[] (Supply problems) of a product. */
export interface ProductSupplyProblemsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in supplyProblems[], from 1. */
  position: number
  /** Start. */
  from_date: Date | null
  /** Expected availability. */
  end_date: Date | null
  /** Reason. */
  reason: string | null
  /** Impact. */
  impact: string | null
}

/** One row an element of brands[] (Brands) of a product. */
export interface ProductBrandsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in brands[], from 1. */
  position: number
  /** Brand id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of productFamily[] (Product families) of a product. */
export interface ProductProductFamilyV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in productFamily[], from 1. */
  position: number
  /** Product family id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of organizations[] (Organizations) of a product. */
export interface ProductOrganizationsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in organizations[], from 1. */
  position: number
  /** Organization id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Kind of organization. */
  type: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Present only for suppliers: Street and number. */
  contact_information_address: string | null
  /** Present only for suppliers: Postal code. */
  contact_information_zip_code: string | null
  /** Present only for suppliers: Region. */
  contact_information_region: string | null
  /** Present only for suppliers: City. */
  contact_information_city: string | null
  /** Present only for suppliers: ISO 3166 alpha-2. */
  contact_information_country: string | null
  /** Present only for suppliers: E-mail address. */
  contact_information_email: string | null
  /** Present only for suppliers: Web address. */
  contact_information_url: string | null
}

/** One row an element of activeIngredients[] (Active ingredients) of a product. */
export interface ProductActiveIngredientsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in activeIngredients[], from 1. */
  position: number
  /** Active ingredient id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of attributes[] (Attribute values) of a product. */
export interface ProductAttributesV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in attributes[], from 1. */
  position: number
  /** Attribute option id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of dietaryRestrictions[] (Dietary restrictions) of a product. */
export interface ProductDietaryRestrictionsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in dietaryRestrictions[], from 1. */
  position: number
  /** Dietary restriction code. */
  id: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row an element of colors[] (Colors) of a product. */
export interface ProductColorsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in colors[], from 1. */
  position: number
  /** Color code. */
  id: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row an element of allowedSpecies[] (Species it is allowed for) of a product. */
export interface ProductAllowedSpeciesV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in allowedSpecies[], from 1. */
  position: number
  /** Species id. */
  id: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row an element of photos[] (Photos) of a product. */
export interface ProductPhotosV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in photos[], from 1. */
  position: number
  /** Media id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of photo. */
  photo_type: 'packshot' | 'productshot' | 'lifestyle_image' | 'pillshot' | (string & {}) | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnail. */
  formats_thumbnail: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnailWebp. */
  formats_thumbnail_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, medium. */
  formats_medium: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumWebp. */
  formats_medium_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, large. */
  formats_large: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeWebp. */
  formats_large_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, huge. */
  formats_huge: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, hugeWebp. */
  formats_huge_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Addresses that came as a plain list, without a size. */
  formats_unkeyed: (string | null)[] | null
  /** Sides of the package that can be seen. */
  visible_sides: (string | null)[] | null
  /** 1-based position within the product's photos. */
  display_order: number | bigint | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row an element of photos[].organizations[] (Organizations it is linked to) of a product. */
export interface ProductPhotoOrganizationsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in photos[], from 1. */
  photo_position: number
  /** Position in photos[].organizations[], from 1. */
  position: number
  /** Organization id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Kind of organization. */
  type: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Present only for suppliers: Street and number. */
  contact_information_address: string | null
  /** Present only for suppliers: Postal code. */
  contact_information_zip_code: string | null
  /** Present only for suppliers: Region. */
  contact_information_region: string | null
  /** Present only for suppliers: City. */
  contact_information_city: string | null
  /** Present only for suppliers: ISO 3166 alpha-2. */
  contact_information_country: string | null
  /** Present only for suppliers: E-mail address. */
  contact_information_email: string | null
  /** Present only for suppliers: Web address. */
  contact_information_url: string | null
}

/** One row an element of frontals[] (Frontal photos) of a product. */
export interface ProductFrontalsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in frontals[], from 1. */
  position: number
  /** Media id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of photo. */
  photo_type: 'packshot' | 'productshot' | (string & {}) | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnail. */
  formats_thumbnail: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnailWebp. */
  formats_thumbnail_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, medium. */
  formats_medium: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumWebp. */
  formats_medium_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, large. */
  formats_large: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeWebp. */
  formats_large_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, huge. */
  formats_huge: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, hugeWebp. */
  formats_huge_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumJpeg. */
  formats_medium_jpeg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeJpg. */
  formats_large_jpg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Addresses that came as a plain list, without a size. */
  formats_unkeyed: (string | null)[] | null
  /** Sides of the package that can be seen. */
  visible_sides: (string | null)[] | null
  /** 1-based position within the product's frontals. */
  display_order: number | bigint | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row an element of frontals[].organizations[] (Organizations it is linked to) of a product. */
export interface ProductFrontalOrganizationsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in frontals[], from 1. */
  frontal_position: number
  /** Position in frontals[].organizations[], from 1. */
  position: number
  /** Organization id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Kind of organization. */
  type: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Present only for suppliers: Street and number. */
  contact_information_address: string | null
  /** Present only for suppliers: Postal code. */
  contact_information_zip_code: string | null
  /** Present only for suppliers: Region. */
  contact_information_region: string | null
  /** Present only for suppliers: City. */
  contact_information_city: string | null
  /** Present only for suppliers: ISO 3166 alpha-2. */
  contact_information_country: string | null
  /** Present only for suppliers: E-mail address. */
  contact_information_email: string | null
  /** Present only for suppliers: Web address. */
  contact_information_url: string | null
}

/** One row an element of links[] (Media links) of a product. */
export interface ProductLinksV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in links[], from 1. */
  position: number
  /** Media id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of link. */
  type: string | null
  /** Address. */
  url: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Description (locale nl). */
  description_nl: string | null
  /** Description (locale fr). */
  description_fr: string | null
  /** Description (locale en). */
  description_en: string | null
  /** When the link is available: Start. */
  available_from: Date | null
  /** When the link is available: End. */
  available_until: Date | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Kind of link. */
  link_type: string | null
  /** 1-based position. */
  display_order: number | bigint | null
}

/** One row an element of links[].organizations[] (Organizations it is linked to) of a product. */
export interface ProductLinkOrganizationsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in links[], from 1. */
  link_position: number
  /** Position in links[].organizations[], from 1. */
  position: number
  /** Organization id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Kind of organization. */
  type: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Present only for suppliers: Street and number. */
  contact_information_address: string | null
  /** Present only for suppliers: Postal code. */
  contact_information_zip_code: string | null
  /** Present only for suppliers: Region. */
  contact_information_region: string | null
  /** Present only for suppliers: City. */
  contact_information_city: string | null
  /** Present only for suppliers: ISO 3166 alpha-2. */
  contact_information_country: string | null
  /** Present only for suppliers: E-mail address. */
  contact_information_email: string | null
  /** Present only for suppliers: Web address. */
  contact_information_url: string | null
}

/** One row an element of descriptions[] (Descriptions) of a product. */
export interface ProductDescriptionsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in descriptions[], from 1. */
  position: number
  /** Description id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of description. */
  type: string | null
  /** Text in a subset of HTML (locale nl). */
  content_nl: string | null
  /** Text in a subset of HTML (locale fr). */
  content_fr: string | null
  /** Text in a subset of HTML (locale en). */
  content_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of leaflets[] (Leaflets) of a product. */
export interface ProductLeafletsV4Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in leaflets[], from 1. */
  position: number
  /** Leaflet id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Kind of leaflet. */
  type: 'pil' | 'spc' | (string & {}) | null
  /** Address (locale nl). */
  url_nl: string | null
  /** Address (locale fr). */
  url_fr: string | null
  /** Address (locale en). */
  url_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row a media. */
export interface MediaV4Row {
  /** Unique media id. */
  id: number | bigint
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of media item. */
  type: 'photo' | 'frontal' | 'link' | (string & {}) | null
  /** Address. */
  url: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Description (locale nl). */
  description_nl: string | null
  /** Description (locale fr). */
  description_fr: string | null
  /** Description (locale en). */
  description_en: string | null
  /** When the link is available: Start. */
  available_from: Date | null
  /** When the link is available: End. */
  available_until: Date | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Kind of link. */
  link_type: string | null
  /** 1-based position. */
  display_order: number | bigint | null
  /** Kind of photo. */
  photo_type: 'packshot' | 'productshot' | 'lifestyle_image' | 'pillshot' | (string & {}) | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnail. */
  formats_thumbnail: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnailWebp. */
  formats_thumbnail_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, medium. */
  formats_medium: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumWebp. */
  formats_medium_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, large. */
  formats_large: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeWebp. */
  formats_large_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, huge. */
  formats_huge: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, hugeWebp. */
  formats_huge_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumJpeg. */
  formats_medium_jpeg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeJpg. */
  formats_large_jpg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Addresses that came as a plain list, without a size. */
  formats_unkeyed: (string | null)[] | null
  /** Sides of the package that can be seen. */
  visible_sides: (string | null)[] | null
  /** Whether it is published. */
  published: boolean | null
  /** Ids of the products it is linked to. */
  products: (string | null)[] | null
}

/** One row an element of organizations[] (Organizations it is linked to) of a media. */
export interface MediaOrganizationsV4Row {
  /** The id of the media that the row belongs to. */
  media_id: number | bigint
  /** Position in organizations[], from 1. */
  position: number
  /** Organization id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Kind of organization. */
  type: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Present only for suppliers: Street and number. */
  contact_information_address: string | null
  /** Present only for suppliers: Postal code. */
  contact_information_zip_code: string | null
  /** Present only for suppliers: Region. */
  contact_information_region: string | null
  /** Present only for suppliers: City. */
  contact_information_city: string | null
  /** Present only for suppliers: ISO 3166 alpha-2. */
  contact_information_country: string | null
  /** Present only for suppliers: E-mail address. */
  contact_information_email: string | null
  /** Present only for suppliers: Web address. */
  contact_information_url: string | null
}

/** One row a photo. */
export interface PhotosV4Row {
  /** Unique media id. */
  id: number | bigint
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of photo. */
  photo_type: 'packshot' | 'productshot' | 'lifestyle_image' | 'pillshot' | (string & {}) | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnail. */
  formats_thumbnail: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnailWebp. */
  formats_thumbnail_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, medium. */
  formats_medium: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumWebp. */
  formats_medium_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, large. */
  formats_large: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeWebp. */
  formats_large_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, huge. */
  formats_huge: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, hugeWebp. */
  formats_huge_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Addresses that came as a plain list, without a size. */
  formats_unkeyed: (string | null)[] | null
  /** Sides of the package that can be seen. */
  visible_sides: (string | null)[] | null
  /** 1-based position within the product's photos. */
  display_order: number | bigint | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row an element of organizations[] (Organizations it is linked to) of a photo. */
export interface PhotoOrganizationsV4Row {
  /** The id of the photo that the row belongs to. */
  photo_id: number | bigint
  /** Position in organizations[], from 1. */
  position: number
  /** Organization id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Kind of organization. */
  type: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Present only for suppliers: Street and number. */
  contact_information_address: string | null
  /** Present only for suppliers: Postal code. */
  contact_information_zip_code: string | null
  /** Present only for suppliers: Region. */
  contact_information_region: string | null
  /** Present only for suppliers: City. */
  contact_information_city: string | null
  /** Present only for suppliers: ISO 3166 alpha-2. */
  contact_information_country: string | null
  /** Present only for suppliers: E-mail address. */
  contact_information_email: string | null
  /** Present only for suppliers: Web address. */
  contact_information_url: string | null
}

/** One row a frontal. */
export interface FrontalsV4Row {
  /** Unique media id. */
  id: number | bigint
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of photo. */
  photo_type: 'packshot' | 'productshot' | (string & {}) | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnail. */
  formats_thumbnail: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnailWebp. */
  formats_thumbnail_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, medium. */
  formats_medium: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumWebp. */
  formats_medium_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, large. */
  formats_large: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeWebp. */
  formats_large_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, huge. */
  formats_huge: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, hugeWebp. */
  formats_huge_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumJpeg. */
  formats_medium_jpeg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeJpg. */
  formats_large_jpg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Addresses that came as a plain list, without a size. */
  formats_unkeyed: (string | null)[] | null
  /** Sides of the package that can be seen. */
  visible_sides: (string | null)[] | null
  /** 1-based position within the product's frontals. */
  display_order: number | bigint | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row an element of organizations[] (Organizations it is linked to) of a frontal. */
export interface FrontalOrganizationsV4Row {
  /** The id of the frontal that the row belongs to. */
  frontal_id: number | bigint
  /** Position in organizations[], from 1. */
  position: number
  /** Organization id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Kind of organization. */
  type: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Present only for suppliers: Street and number. */
  contact_information_address: string | null
  /** Present only for suppliers: Postal code. */
  contact_information_zip_code: string | null
  /** Present only for suppliers: Region. */
  contact_information_region: string | null
  /** Present only for suppliers: City. */
  contact_information_city: string | null
  /** Present only for suppliers: ISO 3166 alpha-2. */
  contact_information_country: string | null
  /** Present only for suppliers: E-mail address. */
  contact_information_email: string | null
  /** Present only for suppliers: Web address. */
  contact_information_url: string | null
}

/** One row a media link. */
export interface MediaLinksV4Row {
  /** Unique media id. */
  id: number | bigint
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of link. */
  type: string | null
  /** Address. */
  url: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Description (locale nl). */
  description_nl: string | null
  /** Description (locale fr). */
  description_fr: string | null
  /** Description (locale en). */
  description_en: string | null
  /** When the link is available: Start. */
  available_from: Date | null
  /** When the link is available: End. */
  available_until: Date | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Kind of link. */
  link_type: string | null
  /** 1-based position. */
  display_order: number | bigint | null
}

/** One row an element of organizations[] (Organizations it is linked to) of a media link. */
export interface MediaLinkOrganizationsV4Row {
  /** The id of the media link that the row belongs to. */
  media_link_id: number | bigint
  /** Position in organizations[], from 1. */
  position: number
  /** Organization id. */
  id: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Kind of organization. */
  type: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Present only for suppliers: Street and number. */
  contact_information_address: string | null
  /** Present only for suppliers: Postal code. */
  contact_information_zip_code: string | null
  /** Present only for suppliers: Region. */
  contact_information_region: string | null
  /** Present only for suppliers: City. */
  contact_information_city: string | null
  /** Present only for suppliers: ISO 3166 alpha-2. */
  contact_information_country: string | null
  /** Present only for suppliers: E-mail address. */
  contact_information_email: string | null
  /** Present only for suppliers: Web address. */
  contact_information_url: string | null
}

/** One row a description. */
export interface DescriptionsV4Row {
  /** Unique description id. */
  id: number | bigint
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of description. */
  type: string | null
  /** Text in a subset of HTML (locale nl). */
  content_nl: string | null
  /** Text in a subset of HTML (locale fr). */
  content_fr: string | null
  /** Text in a subset of HTML (locale en). */
  content_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row a leaflet. */
export interface LeafletsV4Row {
  /** Unique leaflet id. */
  id: number | bigint
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Kind of leaflet. */
  type: 'pil' | 'spc' | (string & {}) | null
  /** Address (locale nl). */
  url_nl: string | null
  /** Address (locale fr). */
  url_fr: string | null
  /** Address (locale en). */
  url_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row a news item. */
export interface NewsItemsV4Row {
  /** Unique news item id. */
  id: number | bigint
  /** What it is about. */
  type: 'product' | 'organization' | 'public_category' | 'brand' | (string & {}) | null
  /** Id of the creating organization. */
  organization: number | bigint | null
  /** Title (locale nl). */
  title_nl: string | null
  /** Title (locale fr). */
  title_fr: string | null
  /** Title (locale en). */
  title_en: string | null
  /** Product ids (type product). */
  products: (string | null)[] | null
  /** Brand ids (type brand). */
  brands: (number | bigint | null)[] | null
  /** Public category ids (type public_category). */
  categories: (number | bigint | null)[] | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of content[] (Content parts) of a news item. */
export interface NewsItemContentV4Row {
  /** The id of the news item that the row belongs to. */
  news_item_id: number | bigint
  /** Position in content[], from 1. */
  position: number
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Text (locale nl). */
  text_nl: string | null
  /** Text (locale fr). */
  text_fr: string | null
  /** Text (locale en). */
  text_en: string | null
}

/** One row a correction. */
export interface CorrectionsV4Row {
  /** Unique correction id. */
  id: number | bigint
  /** Product id. */
  product: string | null
  /** CNK code. */
  cnk: string | null
  /** Locale of the feedback. */
  locale: string | null
  /** Correction type. */
  type: string | null
  /** Feedback. */
  text: string | null
  /** State. */
  status: 'open' | 'in_progress' | 'solved' | 'closed' | 'handled' | (string & {}) | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row a active ingredient. */
export interface ActiveIngredientsV4Row {
  /** Unique active ingredient id. */
  id: number | bigint
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row a organization. */
export interface OrganizationsV4Row {
  /** Unique organization id. */
  id: number | bigint
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Kind of organization. */
  type: 'supplier' | 'marketing' | 'medical_professional' | 'other' | (string & {}) | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Present only for suppliers: Street and number. */
  contact_information_address: string | null
  /** Present only for suppliers: Postal code. */
  contact_information_zip_code: string | null
  /** Present only for suppliers: Region. */
  contact_information_region: string | null
  /** Present only for suppliers: City. */
  contact_information_city: string | null
  /** Present only for suppliers: ISO 3166 alpha-2. */
  contact_information_country: string | null
  /** Present only for suppliers: E-mail address. */
  contact_information_email: string | null
  /** Present only for suppliers: Web address. */
  contact_information_url: string | null
}

/** One row a brand. */
export interface BrandsV4Row {
  /** Unique brand id. */
  id: number | bigint
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row a product family. */
export interface ProductFamiliesV4Row {
  /** Unique product family id. */
  id: number | bigint
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row a public category. */
export interface PublicCategoriesV4Row {
  /** Unique public category id. */
  id: number | bigint
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Id of the parent category; null for roots. */
  parent: number | bigint | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row a catalog category. */
export interface CatalogCategoriesV4Row {
  /** Unique category code. */
  id: string
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Description (locale nl). */
  description_nl: string | null
  /** Description (locale fr). */
  description_fr: string | null
  /** Description (locale en). */
  description_en: string | null
  /** Id of the parent category; null for roots. */
  parent: string | null
  /** Sort order. */
  order: number | bigint | null
  /** Kind of category. */
  type: 'medicine' | 'veterinary_medicine' | 'non_medical' | (string & {}) | null
}

/** One row a apb category. */
export interface ApbCategoriesV4Row {
  /** Unique category code. */
  id: string
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row a bcfi category. */
export interface BcfiCategoriesV4Row {
  /** Unique category code. */
  id: string
  /** Id of the parent category; null for roots. */
  parent: string | null
  /** Sort order. */
  order: number | bigint | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row a galenic shape. */
export interface GalenicShapesV4Row {
  /** Unique galenic shape code. */
  id: string
  /** Code of the parent shape. */
  parent: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row a dietary restriction. */
export interface DietaryRestrictionsV4Row {
  /** Unique dietary restriction code. */
  id: string
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row a color. */
export interface ColorsV4Row {
  /** Unique color code. */
  id: string
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row a species. */
export interface SpeciesV4Row {
  /** Unique species code. */
  id: string
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row a attribute. */
export interface AttributesV4Row {
  /** Unique attribute option id. */
  id: number | bigint
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row a product. */
export interface ProductsV3Row {
  /** Unique product identifier. */
  id: string
  /** State. */
  status: 'active' | 'replaced' | 'inactive' | (string & {}) | null
  /**
   * Whether it may be sold online.
   *
   * @deprecated
   */
  ecommerce: 'yes' | 'no' | 'unknown' | (string & {}) | null
  /** Id of the replacing product, when status is replaced. */
  replacement: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** SEO friendly name (locale nl). */
  seo_name_nl: string | null
  /** SEO friendly name (locale fr). */
  seo_name_fr: string | null
  /** SEO friendly name (locale en). */
  seo_name_en: string | null
  /**
   * Short description (locale nl).
   *
   * @deprecated
   */
  short_description_nl: string | null
  /**
   * Short description (locale fr).
   *
   * @deprecated
   */
  short_description_fr: string | null
  /**
   * Short description (locale en).
   *
   * @deprecated
   */
  short_description_en: string | null
  /** Whether refundability expires. */
  expires: boolean | null
  /** Refund for trade-in (money, the whole number as delivered). */
  trade_in_refund_value: number | bigint | null
  /** Months before expiry that it can be traded in. */
  trade_in_months_before_expiry: number | bigint | null
  /** Months after expiry that it can be traded in. */
  trade_in_months_after_expiry: number | bigint | null
  /** Requires a prescription. */
  prescription: boolean | null
  /** Requires a written request by the patient. */
  written_request_by_patient: boolean | null
  /** A legal text (description) must be displayed. */
  requires_legal_text: boolean | null
  /** Food supplement. */
  is_a_nutrition_supplement: boolean | null
  /** Official commercial end date. */
  official_deletion_at: Date | null
  /** EAN codes. */
  ean: (string | null)[] | null
  /** GTIN. */
  gtin: string | null
  /** CNK code; not every product has one. */
  cnk: string | null
  /** Internal reference code a company gives the product. */
  supplier_reference: string | null
  /** Extended CTI code. */
  cti_extended: string | null
  /** Conservation. */
  conservation: 'room' | 'refrigerator' | 'fresh' | 'frozen' | (string & {}) | null
  /** VAT rate. */
  vat: number | null
  /** Public price, including VAT (money, the whole number as delivered). */
  public_price: number | bigint | null
  /** Purchase price for the pharmacist via wholesaler, excluding VAT (money, the whole number as delivered). */
  pharmacist_price: number | bigint | null
  /** What the patient pays under the standard reimbursement regime, including VAT (money, the whole number as delivered). */
  refund_value_with_omnio: number | bigint | null
  /** What the patient pays under increased reimbursement, including VAT (money, the whole number as delivered). */
  refund_value_without_omnio: number | bigint | null
  /** Weight in grams. */
  weight: number | bigint | null
  /** Width in millimeters. */
  width: number | bigint | null
  /** Length in millimeters. */
  length: number | bigint | null
  /** Depth in millimeters. */
  depth: number | bigint | null
  /** Content of the package. */
  package_content: string | null
  /** Quantity in the package. */
  package_quantity: string | null
  /** Unit of the package. */
  packaging_unit: string | null
  /**
   * ATC code.
   *
   * @deprecated use atcCategory
   */
  atc: string | null
  /** ATC category codes. */
  atc_category: (string | null)[] | null
  /** About the record: Creation; may be null. */
  meta_created_at: Date | null
  /** About the record: Last change, photos and links included. */
  meta_updated_at: Date | null
  /** About the record: Pre-signed address of the embeddable page, valid for a few hours. */
  meta_embed_url: string | null
}

/** One row an element of publicCategories[] (Public categories) of a product. */
export type ProductPublicCategoriesV3Row = ProductPublicCategoriesV4Row

/** One row an element of apbCategory[] (APB categories) of a product. */
export type ProductApbCategoryV3Row = ProductApbCategoryV4Row

/** One row an element of bcfiCategory[] (BCFI categories) of a product. */
export type ProductBcfiCategoryV3Row = ProductBcfiCategoryV4Row

/** One row an element of brands[] (Brands) of a product. */
export type ProductBrandsV3Row = ProductBrandsV4Row

/** One row an element of productFamily[] (Product families) of a product. */
export type ProductProductFamilyV3Row = ProductProductFamilyV4Row

/** One row an element of organizations[] (Organizations) of a product. */
export type ProductOrganizationsV3Row = ProductOrganizationsV4Row

/** One row an element of activeIngredients[] (Active ingredients) of a product. */
export type ProductActiveIngredientsV3Row = ProductActiveIngredientsV4Row

/** One row an element of attributes[] (Attribute values) of a product. */
export type ProductAttributesV3Row = ProductAttributesV4Row

/** One row an element of photos[] (Photos) of a product. */
export interface ProductPhotosV3Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in photos[], from 1. */
  position: number
  /** Photo id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of photo. */
  type: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnail. */
  formats_thumbnail: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnailWebp. */
  formats_thumbnail_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, medium. */
  formats_medium: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumWebp. */
  formats_medium_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, large. */
  formats_large: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeWebp. */
  formats_large_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, huge. */
  formats_huge: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, hugeWebp. */
  formats_huge_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumJpeg. */
  formats_medium_jpeg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeJpg. */
  formats_large_jpg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Addresses that came as a plain list, without a size. */
  formats_unkeyed: (string | null)[] | null
  /** Sides of the package that can be seen. */
  visible_sides: (string | null)[] | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of frontals[] (Frontal photos) of a product. */
export interface ProductFrontalsV3Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in frontals[], from 1. */
  position: number
  /** Photo id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of photo. */
  type: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnail. */
  formats_thumbnail: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnailWebp. */
  formats_thumbnail_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, medium. */
  formats_medium: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumWebp. */
  formats_medium_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, large. */
  formats_large: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeWebp. */
  formats_large_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, huge. */
  formats_huge: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, hugeWebp. */
  formats_huge_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumJpeg. */
  formats_medium_jpeg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeJpg. */
  formats_large_jpg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Addresses that came as a plain list, without a size. */
  formats_unkeyed: (string | null)[] | null
  /** Sides of the package that can be seen. */
  visible_sides: (string | null)[] | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of links[] (Links) of a product. */
export interface ProductLinksV3Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in links[], from 1. */
  position: number
  /** Link id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of link. */
  type: string | null
  /** Address. */
  url: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Description (locale nl). */
  description_nl: string | null
  /** Description (locale fr). */
  description_fr: string | null
  /** Description (locale en). */
  description_en: string | null
  /** When the link is available: Start. */
  available_from: Date | null
  /** When the link is available: End. */
  available_until: Date | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of descriptions[] (Descriptions) of a product. */
export interface ProductDescriptionsV3Row {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in descriptions[], from 1. */
  position: number
  /** Description id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of description. */
  type: string | null
  /** Text by locale: Text in HTML (locale nl). */
  content_nl_html: string | null
  /**
   * Text by locale: Text in Markdown (locale nl).
   *
   * @deprecated announced as to be deprecated
   */
  content_nl_markdown: string | null
  /** Text by locale: Text in HTML (locale fr). */
  content_fr_html: string | null
  /**
   * Text by locale: Text in Markdown (locale fr).
   *
   * @deprecated announced as to be deprecated
   */
  content_fr_markdown: string | null
  /** Text by locale: Text in HTML (locale en). */
  content_en_html: string | null
  /**
   * Text by locale: Text in Markdown (locale en).
   *
   * @deprecated announced as to be deprecated
   */
  content_en_markdown: string | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
}

/** One row an element of leaflets[] (Leaflets) of a product. */
export type ProductLeafletsV3Row = ProductLeafletsV4Row

/** One row a news item. */
export type NewsItemsV3Row = NewsItemsV4Row

/** One row an element of content[] (Content parts) of a news item. */
export type NewsItemContentV3Row = NewsItemContentV4Row

/** One row a correction. */
export type CorrectionsV3Row = CorrectionsV4Row

/** One row a active ingredient. */
export type ActiveIngredientsV3Row = ActiveIngredientsV4Row

/** One row a organization. */
export type OrganizationsV3Row = OrganizationsV4Row

/** One row a brand. */
export type BrandsV3Row = BrandsV4Row

/** One row a public category. */
export type PublicCategoriesV3Row = PublicCategoriesV4Row

/** One row a apb category. */
export type ApbCategoriesV3Row = ApbCategoriesV4Row

/** One row a bcfi category. */
export type BcfiCategoriesV3Row = BcfiCategoriesV4Row

/** One row a attribute. */
export type AttributesV3Row = AttributesV4Row

/** One row a product. */
export interface ProductsRow {
  /** Unique product identifier. */
  id: string
  /** Version of the interface that the record came from: v3 or v4. */
  interface_version: 'v3' | 'v4' | (string & {}) | null
  /** State. */
  status: 'active' | 'inactive' | 'replaced' | 'no_selection' | (string & {}) | null
  /**
   * Whether it may be sold online.
   *
   * @deprecated
   */
  ecommerce: 'yes' | 'no' | 'unknown' | (string & {}) | null
  /** Id of the replacing product, when status is replaced. */
  replacement: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** SEO friendly name (locale nl). */
  seo_name_nl: string | null
  /** SEO friendly name (locale fr). */
  seo_name_fr: string | null
  /** SEO friendly name (locale en). */
  seo_name_en: string | null
  /**
   * Short description (locale nl).
   *
   * @deprecated
   */
  short_description_nl: string | null
  /**
   * Short description (locale fr).
   *
   * @deprecated
   */
  short_description_fr: string | null
  /**
   * Short description (locale en).
   *
   * @deprecated
   */
  short_description_en: string | null
  /**
   * Whether refundability expires.
   *
   * @deprecated
   */
  expires: boolean | null
  /**
   * Refund for trade-in (money, the whole number as delivered).
   *
   * @deprecated
   */
  trade_in_refund_value: number | bigint | null
  /**
   * Months before expiry that it can be traded in.
   *
   * @deprecated
   */
  trade_in_months_before_expiry: number | bigint | null
  /**
   * Months after expiry that it can be traded in.
   *
   * @deprecated
   */
  trade_in_months_after_expiry: number | bigint | null
  /** Requires a prescription. */
  prescription: boolean | null
  /** Requires a written request by the patient. */
  written_request_by_patient: boolean | null
  /** A legal text (description) must be displayed. */
  requires_legal_text: boolean | null
  /** Food supplement. */
  is_a_nutrition_supplement: boolean | null
  /** Narcotic. */
  narcotic: 'yes' | 'no' | 'unknown' | 'assimilated' | (string & {}) | null
  /** Biocide. */
  biocide: 'yes' | 'no' | 'unknown' | (string & {}) | null
  /** Official commercial end date. */
  official_deletion_at: Date | null
  /** EAN codes. */
  ean: (string | null)[] | null
  /**
   * GTIN.
   *
   * @deprecated use eanGtin14
   */
  gtin: string | null
  /** CNK code; not every product has one. */
  cnk: string | null
  /** EAN-8. */
  ean_gtin8: string | null
  /** EAN of 12 digits (UPC). */
  ean_gtin12: string | null
  /** EAN-13. */
  ean_gtin13: string | null
  /** EAN-14 (GTIN). */
  ean_gtin14: string | null
  /** Internal reference code a company gives the product. */
  supplier_reference: string | null
  /** Harmonised System code. */
  hs_code: string | null
  /** UDI. */
  udi: string | null
  /** NUT. */
  nut: string | null
  /** Extended CTI code. */
  cti_extended: string | null
  /** Grouping-by-name code. */
  name_cti: string | null
  /** Conservation. */
  conservation: 'room' | 'refrigerator' | 'fresh' | 'frozen' | (string & {}) | null
  /** Description of the conservation type (locale nl). */
  conservation_label_nl: string | null
  /** Description of the conservation type (locale fr). */
  conservation_label_fr: string | null
  /** Description of the conservation type (locale en). */
  conservation_label_en: string | null
  /** Minimum temperature: Degrees Celsius. */
  conservation_min_celsius: number | null
  /** Minimum temperature: Degrees Fahrenheit. */
  conservation_min_fahrenheit: number | null
  /** Minimum temperature: Kelvin. */
  conservation_min_kelvin: number | null
  /** Maximum temperature: Degrees Celsius. */
  conservation_max_celsius: number | null
  /** Maximum temperature: Degrees Fahrenheit. */
  conservation_max_fahrenheit: number | null
  /** Maximum temperature: Kelvin. */
  conservation_max_kelvin: number | null
  /** VAT rate. */
  vat: number | null
  /** Public price, including VAT (money, the whole number as delivered). */
  public_price: number | bigint | null
  /** Purchase price for the pharmacist via wholesaler, excluding VAT (money, the whole number as delivered). */
  pharmacist_price: number | bigint | null
  /** What the patient pays under the standard reimbursement regime, including VAT (money, the whole number as delivered). */
  refund_value_with_omnio: number | bigint | null
  /** What the patient pays under increased reimbursement, including VAT (money, the whole number as delivered). */
  refund_value_without_omnio: number | bigint | null
  /** Manufacturer catalogue price without discount, excluding VAT (money, the whole number as delivered). */
  manufacturer_price: number | bigint | null
  /** Unit that the specification of this version writes beside prices, of the whole numbers as delivered: not of columns with a `unit`. */
  documented_price_unit: string | null
  /**
   * Weight in grams.
   *
   * @deprecated use the *WithUnit object
   */
  weight: number | bigint | null
  /**
   * Width in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  width: number | bigint | null
  /**
   * Length in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  length: number | bigint | null
  /**
   * Depth in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  depth: number | bigint | null
  /** Weight: Amount. */
  weight_with_unit_value: number | null
  /** Weight: Unit. */
  weight_with_unit_unit: string | null
  /** Width: Amount. */
  width_with_unit_value: number | null
  /** Width: Unit. */
  width_with_unit_unit: string | null
  /** Length: Amount. */
  length_with_unit_value: number | null
  /** Length: Unit. */
  length_with_unit_unit: string | null
  /** Depth: Amount. */
  depth_with_unit_value: number | null
  /** Depth: Unit. */
  depth_with_unit_unit: string | null
  /** Content of the package. */
  package_content: string | null
  /** Quantity in the package. */
  package_quantity: string | null
  /** Unit of the package. */
  packaging_unit: string | null
  /** Fields that do not apply to the product. */
  not_applicable_field: (string | null)[] | null
  /**
   * ATC code.
   *
   * @deprecated use atcCategory
   */
  atc: string | null
  /** ATC category codes. */
  atc_category: (string | null)[] | null
  /** End of commercialization, if any: Start. */
  end_of_commercialization_data_from_date: Date | null
  /** End of commercialization, if any: Expected end. */
  end_of_commercialization_data_expected_end_date: Date | null
  /** End of commercialization, if any: Status. */
  end_of_commercialization_data_status: string | null
  /** End of commercialization, if any: Reason. */
  end_of_commercialization_data_reason: string | null
  /** End of commercialization, if any: Impact. */
  end_of_commercialization_data_impact: string | null
  /** Whether it is deleted. */
  deleted: boolean | null
  /** About the record: Creation; may be null. */
  meta_created_at: Date | null
  /** About the record: Last change, photos and links included. */
  meta_updated_at: Date | null
  /** About the record: Pre-signed address of the embeddable page, valid for a few hours. */
  meta_embed_url: string | null
  /** About the record: Public page, valid for 6 months. */
  meta_public_page_url: string | null
}

/** One row an element of galenicShapes[] (Galenic shapes) of a product. */
export type ProductGalenicShapesRow = ProductGalenicShapesV4Row

/** One row an element of publicCategories[] (Public categories) of a product. */
export type ProductPublicCategoriesRow = ProductPublicCategoriesV4Row

/** One row an element of catalogCategories[] (Catalogue categories) of a product. */
export type ProductCatalogCategoriesRow = ProductCatalogCategoriesV4Row

/** One row an element of apbCategory[] (APB categories) of a product. */
export type ProductApbCategoryRow = ProductApbCategoryV4Row

/** One row an element of bcfiCategory[] (BCFI categories) of a product. */
export type ProductBcfiCategoryRow = ProductBcfiCategoryV4Row

/** One row an element of supplyProblems[] (Supply problems) of a product. */
export type ProductSupplyProblemsRow = ProductSupplyProblemsV4Row

/** One row an element of brands[] (Brands) of a product. */
export type ProductBrandsRow = ProductBrandsV4Row

/** One row an element of productFamily[] (Product families) of a product. */
export type ProductProductFamilyRow = ProductProductFamilyV4Row

/** One row an element of organizations[] (Organizations) of a product. */
export type ProductOrganizationsRow = ProductOrganizationsV4Row

/** One row an element of activeIngredients[] (Active ingredients) of a product. */
export type ProductActiveIngredientsRow = ProductActiveIngredientsV4Row

/** One row an element of attributes[] (Attribute values) of a product. */
export type ProductAttributesRow = ProductAttributesV4Row

/** One row an element of dietaryRestrictions[] (Dietary restrictions) of a product. */
export type ProductDietaryRestrictionsRow = ProductDietaryRestrictionsV4Row

/** One row an element of colors[] (Colors) of a product. */
export type ProductColorsRow = ProductColorsV4Row

/** One row an element of allowedSpecies[] (Species it is allowed for) of a product. */
export type ProductAllowedSpeciesRow = ProductAllowedSpeciesV4Row

/** One row an element of photos[] (Photos) of a product. */
export interface ProductPhotosRow {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in photos[], from 1. */
  position: number
  /** Media id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Kind of photo. */
  photo_type: 'packshot' | 'productshot' | 'lifestyle_image' | 'pillshot' | (string & {}) | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnail. */
  formats_thumbnail: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, thumbnailWebp. */
  formats_thumbnail_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, medium. */
  formats_medium: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumWebp. */
  formats_medium_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, large. */
  formats_large: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeWebp. */
  formats_large_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, huge. */
  formats_huge: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, hugeWebp. */
  formats_huge_webp: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, mediumJpeg. */
  formats_medium_jpeg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Image address, largeJpg. */
  formats_large_jpg: string | null
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels: Addresses that came as a plain list, without a size. */
  formats_unkeyed: (string | null)[] | null
  /** Sides of the package that can be seen. */
  visible_sides: (string | null)[] | null
  /** 1-based position within the product's photos. */
  display_order: number | bigint | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
}

/** One row an element of photos[].organizations[] (Organizations it is linked to) of a product. */
export type ProductPhotoOrganizationsRow = ProductPhotoOrganizationsV4Row

/** One row an element of frontals[] (Frontal photos) of a product. */
export type ProductFrontalsRow = ProductFrontalsV4Row

/** One row an element of frontals[].organizations[] (Organizations it is linked to) of a product. */
export type ProductFrontalOrganizationsRow = ProductFrontalOrganizationsV4Row

/** One row an element of links[] (Media links) of a product. */
export interface ProductLinksRow {
  /** The id of the product that the row belongs to. */
  product_id: string
  /** Position in links[], from 1. */
  position: number
  /** Media id. */
  id: number | bigint | null
  /** Languages it suits. */
  locales: (string | null)[] | null
  /** Whom it is meant for. */
  target_groups: ('public' | 'pharmacist' | (string & {}) | null)[] | null
  /** Address. */
  url: string | null
  /** Name (locale nl). */
  name_nl: string | null
  /** Name (locale fr). */
  name_fr: string | null
  /** Name (locale en). */
  name_en: string | null
  /** Description (locale nl). */
  description_nl: string | null
  /** Description (locale fr). */
  description_fr: string | null
  /** Description (locale en). */
  description_en: string | null
  /** When the link is available: Start. */
  available_from: Date | null
  /** When the link is available: End. */
  available_until: Date | null
  /** When the record was made and last changed: Creation. */
  meta_created_at: Date | null
  /** When the record was made and last changed: Last change. */
  meta_updated_at: Date | null
  /** Kind of link. */
  link_type: string | null
  /** 1-based position. */
  display_order: number | bigint | null
}

/** One row an element of links[].organizations[] (Organizations it is linked to) of a product. */
export type ProductLinkOrganizationsRow = ProductLinkOrganizationsV4Row

/** One row an element of descriptions[] (Descriptions) of a product. */
export type ProductDescriptionsRow = ProductDescriptionsV3Row

/** One row an element of leaflets[] (Leaflets) of a product. */
export type ProductLeafletsRow = ProductLeafletsV4Row

/** One row a record. */
export interface RawRecordsRow {
  /** Id, where the record has one. Its other fields are not known: the column `record` has all of it as JSON. */
  id: string | null
  /** As it was delivered, as JSON. */
  record: JsonCell | null
}
