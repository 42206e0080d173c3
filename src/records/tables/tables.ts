/* Made from the contracts by `npm run docs`. */
// oxlint-disable max-lines
import type {
  ProductsV4Row,
  ProductGalenicShapesV4Row,
  ProductPublicCategoriesV4Row,
  ProductCatalogCategoriesV4Row,
  ProductApbCategoryV4Row,
  ProductBcfiCategoryV4Row,
  ProductSupplyProblemsV4Row,
  ProductBrandsV4Row,
  ProductProductFamilyV4Row,
  ProductOrganizationsV4Row,
  ProductActiveIngredientsV4Row,
  ProductAttributesV4Row,
  ProductDietaryRestrictionsV4Row,
  ProductColorsV4Row,
  ProductAllowedSpeciesV4Row,
  ProductPhotosV4Row,
  ProductPhotoOrganizationsV4Row,
  ProductFrontalsV4Row,
  ProductFrontalOrganizationsV4Row,
  ProductLinksV4Row,
  ProductLinkOrganizationsV4Row,
  ProductDescriptionsV4Row,
  ProductLeafletsV4Row,
  MediaV4Row,
  MediaOrganizationsV4Row,
  PhotosV4Row,
  PhotoOrganizationsV4Row,
  FrontalsV4Row,
  FrontalOrganizationsV4Row,
  MediaLinksV4Row,
  MediaLinkOrganizationsV4Row,
  DescriptionsV4Row,
  LeafletsV4Row,
  NewsItemsV4Row,
  NewsItemContentV4Row,
  CorrectionsV4Row,
  ActiveIngredientsV4Row,
  OrganizationsV4Row,
  BrandsV4Row,
  ProductFamiliesV4Row,
  PublicCategoriesV4Row,
  CatalogCategoriesV4Row,
  ApbCategoriesV4Row,
  BcfiCategoriesV4Row,
  GalenicShapesV4Row,
  DietaryRestrictionsV4Row,
  ColorsV4Row,
  SpeciesV4Row,
  AttributesV4Row,
  ProductsV3Row,
  ProductPublicCategoriesV3Row,
  ProductApbCategoryV3Row,
  ProductBcfiCategoryV3Row,
  ProductBrandsV3Row,
  ProductProductFamilyV3Row,
  ProductOrganizationsV3Row,
  ProductActiveIngredientsV3Row,
  ProductAttributesV3Row,
  ProductPhotosV3Row,
  ProductFrontalsV3Row,
  ProductLinksV3Row,
  ProductDescriptionsV3Row,
  ProductLeafletsV3Row,
  NewsItemsV3Row,
  NewsItemContentV3Row,
  CorrectionsV3Row,
  ActiveIngredientsV3Row,
  OrganizationsV3Row,
  BrandsV3Row,
  PublicCategoriesV3Row,
  ApbCategoriesV3Row,
  BcfiCategoriesV3Row,
  AttributesV3Row,
  ProductsRow,
  ProductGalenicShapesRow,
  ProductPublicCategoriesRow,
  ProductCatalogCategoriesRow,
  ProductApbCategoryRow,
  ProductBcfiCategoryRow,
  ProductSupplyProblemsRow,
  ProductBrandsRow,
  ProductProductFamilyRow,
  ProductOrganizationsRow,
  ProductActiveIngredientsRow,
  ProductAttributesRow,
  ProductDietaryRestrictionsRow,
  ProductColorsRow,
  ProductAllowedSpeciesRow,
  ProductPhotosRow,
  ProductPhotoOrganizationsRow,
  ProductFrontalsRow,
  ProductFrontalOrganizationsRow,
  ProductLinksRow,
  ProductLinkOrganizationsRow,
  ProductDescriptionsRow,
  ProductLeafletsRow,
  RawRecordsRow,
} from './rows.ts'

/** The default tables of every contract, by their names. `Locale`: as it is written in names of columns. */
export interface ContractTables<Locale extends string> {
  'v4/product': {
    products: ProductsV4Table<Locale>
    product_galenic_shapes: ProductGalenicShapesV4Table<Locale>
    product_public_categories: ProductPublicCategoriesV4Table<Locale>
    product_catalog_categories: ProductCatalogCategoriesV4Table<Locale>
    product_apb_category: ProductApbCategoryV4Table<Locale>
    product_bcfi_category: ProductBcfiCategoryV4Table<Locale>
    product_supply_problems: ProductSupplyProblemsV4Table
    product_brands: ProductBrandsV4Table<Locale>
    product_product_family: ProductProductFamilyV4Table<Locale>
    product_organizations: ProductOrganizationsV4Table<Locale>
    product_active_ingredients: ProductActiveIngredientsV4Table<Locale>
    product_attributes: ProductAttributesV4Table<Locale>
    product_dietary_restrictions: ProductDietaryRestrictionsV4Table<Locale>
    product_colors: ProductColorsV4Table<Locale>
    product_allowed_species: ProductAllowedSpeciesV4Table<Locale>
    product_photos: ProductPhotosV4Table<Locale>
    product_photo_organizations: ProductPhotoOrganizationsV4Table<Locale>
    product_frontals: ProductFrontalsV4Table<Locale>
    product_frontal_organizations: ProductFrontalOrganizationsV4Table<Locale>
    product_links: ProductLinksV4Table<Locale>
    product_link_organizations: ProductLinkOrganizationsV4Table<Locale>
    product_descriptions: ProductDescriptionsV4Table<Locale>
    product_leaflets: ProductLeafletsV4Table<Locale>
  }
  'v4/media': {
    media: MediaV4Table<Locale>
    media_organizations: MediaOrganizationsV4Table<Locale>
  }
  'v4/photo': {
    photos: PhotosV4Table<Locale>
    photo_organizations: PhotoOrganizationsV4Table<Locale>
  }
  'v4/frontal': {
    frontals: FrontalsV4Table<Locale>
    frontal_organizations: FrontalOrganizationsV4Table<Locale>
  }
  'v4/media-link': {
    media_links: MediaLinksV4Table<Locale>
    media_link_organizations: MediaLinkOrganizationsV4Table<Locale>
  }
  'v4/description': {
    descriptions: DescriptionsV4Table<Locale>
  }
  'v4/leaflet': {
    leaflets: LeafletsV4Table<Locale>
  }
  'v4/news-item': {
    news_items: NewsItemsV4Table<Locale>
    news_item_content: NewsItemContentV4Table<Locale>
  }
  'v4/correction': {
    corrections: CorrectionsV4Table
  }
  'v4/active-ingredient': {
    active_ingredients: ActiveIngredientsV4Table<Locale>
  }
  'v4/organization': {
    organizations: OrganizationsV4Table<Locale>
  }
  'v4/brand': {
    brands: BrandsV4Table<Locale>
  }
  'v4/product-family': {
    product_families: ProductFamiliesV4Table<Locale>
  }
  'v4/public-category': {
    public_categories: PublicCategoriesV4Table<Locale>
  }
  'v4/catalog-category': {
    catalog_categories: CatalogCategoriesV4Table<Locale>
  }
  'v4/apb-category': {
    apb_categories: ApbCategoriesV4Table<Locale>
  }
  'v4/bcfi-category': {
    bcfi_categories: BcfiCategoriesV4Table<Locale>
  }
  'v4/galenic-shape': {
    galenic_shapes: GalenicShapesV4Table<Locale>
  }
  'v4/dietary-restriction': {
    dietary_restrictions: DietaryRestrictionsV4Table<Locale>
  }
  'v4/color': {
    colors: ColorsV4Table<Locale>
  }
  'v4/species': {
    species: SpeciesV4Table<Locale>
  }
  'v4/attribute': {
    attributes: AttributesV4Table<Locale>
  }
  'v3/product': {
    products: ProductsV3Table<Locale>
    product_public_categories: ProductPublicCategoriesV3Table<Locale>
    product_apb_category: ProductApbCategoryV3Table<Locale>
    product_bcfi_category: ProductBcfiCategoryV3Table<Locale>
    product_brands: ProductBrandsV3Table<Locale>
    product_product_family: ProductProductFamilyV3Table<Locale>
    product_organizations: ProductOrganizationsV3Table<Locale>
    product_active_ingredients: ProductActiveIngredientsV3Table<Locale>
    product_attributes: ProductAttributesV3Table<Locale>
    product_photos: ProductPhotosV3Table
    product_frontals: ProductFrontalsV3Table
    product_links: ProductLinksV3Table<Locale>
    product_descriptions: ProductDescriptionsV3Table<Locale>
    product_leaflets: ProductLeafletsV3Table<Locale>
  }
  'v3/news-item': {
    news_items: NewsItemsV3Table<Locale>
    news_item_content: NewsItemContentV3Table<Locale>
  }
  'v3/correction': {
    corrections: CorrectionsV3Table
  }
  'v3/active-ingredient': {
    active_ingredients: ActiveIngredientsV3Table<Locale>
  }
  'v3/organization': {
    organizations: OrganizationsV3Table<Locale>
  }
  'v3/brand': {
    brands: BrandsV3Table<Locale>
  }
  'v3/public-category': {
    public_categories: PublicCategoriesV3Table<Locale>
  }
  'v3/apb-category': {
    apb_categories: ApbCategoriesV3Table<Locale>
  }
  'v3/bcfi-category': {
    bcfi_categories: BcfiCategoriesV3Table<Locale>
  }
  'v3/attribute': {
    attributes: AttributesV3Table<Locale>
  }
  product: {
    products: ProductsTable<Locale>
    product_galenic_shapes: ProductGalenicShapesTable<Locale>
    product_public_categories: ProductPublicCategoriesTable<Locale>
    product_catalog_categories: ProductCatalogCategoriesTable<Locale>
    product_apb_category: ProductApbCategoryTable<Locale>
    product_bcfi_category: ProductBcfiCategoryTable<Locale>
    product_supply_problems: ProductSupplyProblemsTable
    product_brands: ProductBrandsTable<Locale>
    product_product_family: ProductProductFamilyTable<Locale>
    product_organizations: ProductOrganizationsTable<Locale>
    product_active_ingredients: ProductActiveIngredientsTable<Locale>
    product_attributes: ProductAttributesTable<Locale>
    product_dietary_restrictions: ProductDietaryRestrictionsTable<Locale>
    product_colors: ProductColorsTable<Locale>
    product_allowed_species: ProductAllowedSpeciesTable<Locale>
    product_photos: ProductPhotosTable<Locale>
    product_photo_organizations: ProductPhotoOrganizationsTable<Locale>
    product_frontals: ProductFrontalsTable<Locale>
    product_frontal_organizations: ProductFrontalOrganizationsTable<Locale>
    product_links: ProductLinksTable<Locale>
    product_link_organizations: ProductLinkOrganizationsTable<Locale>
    product_descriptions: ProductDescriptionsTable<Locale>
    product_leaflets: ProductLeafletsTable<Locale>
  }
  raw: {
    records: RawRecordsTable
  }
}

/** The table of the records of every contract. */
export interface RootTables {
  'v4/product': 'products'
  'v4/media': 'media'
  'v4/photo': 'photos'
  'v4/frontal': 'frontals'
  'v4/media-link': 'media_links'
  'v4/description': 'descriptions'
  'v4/leaflet': 'leaflets'
  'v4/news-item': 'news_items'
  'v4/correction': 'corrections'
  'v4/active-ingredient': 'active_ingredients'
  'v4/organization': 'organizations'
  'v4/brand': 'brands'
  'v4/product-family': 'product_families'
  'v4/public-category': 'public_categories'
  'v4/catalog-category': 'catalog_categories'
  'v4/apb-category': 'apb_categories'
  'v4/bcfi-category': 'bcfi_categories'
  'v4/galenic-shape': 'galenic_shapes'
  'v4/dietary-restriction': 'dietary_restrictions'
  'v4/color': 'colors'
  'v4/species': 'species'
  'v4/attribute': 'attributes'
  'v3/product': 'products'
  'v3/news-item': 'news_items'
  'v3/correction': 'corrections'
  'v3/active-ingredient': 'active_ingredients'
  'v3/organization': 'organizations'
  'v3/brand': 'brands'
  'v3/public-category': 'public_categories'
  'v3/apb-category': 'apb_categories'
  'v3/bcfi-category': 'bcfi_categories'
  'v3/attribute': 'attributes'
  product: 'products'
  raw: 'records'
}

/** Field paths of the rows of `products`, with the columns that they become. */
export interface ProductsV4Paths<Locale extends string> {
  /** Unique product identifier. */
  id: 'id'
  /** State. */
  status: 'status'
  /**
   * Whether it may be sold online.
   *
   * @deprecated
   */
  ecommerce: 'ecommerce'
  /** Id of the replacing product, when status is replaced. */
  replacement: 'replacement'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** SEO friendly name. */
  seoName: `seo_name_${Locale}`
  /** SEO friendly name. */
  'seoName.nl': 'seo_name_nl'
  /** SEO friendly name. */
  'seoName.fr': 'seo_name_fr'
  /** SEO friendly name. */
  'seoName.en': 'seo_name_en'
  /**
   * Short description.
   *
   * @deprecated
   */
  shortDescription: `short_description_${Locale}`
  /**
   * Short description.
   *
   * @deprecated
   */
  'shortDescription.nl': 'short_description_nl'
  /**
   * Short description.
   *
   * @deprecated
   */
  'shortDescription.fr': 'short_description_fr'
  /**
   * Short description.
   *
   * @deprecated
   */
  'shortDescription.en': 'short_description_en'
  /**
   * Whether refundability expires.
   *
   * @deprecated
   */
  expires: 'expires'
  /**
   * Refund for trade-in.
   *
   * @deprecated
   */
  tradeInRefundValue: 'trade_in_refund_value'
  /**
   * Months before expiry that it can be traded in.
   *
   * @deprecated
   */
  tradeInMonthsBeforeExpiry: 'trade_in_months_before_expiry'
  /**
   * Months after expiry that it can be traded in.
   *
   * @deprecated
   */
  tradeInMonthsAfterExpiry: 'trade_in_months_after_expiry'
  /** Requires a prescription. */
  prescription: 'prescription'
  /** Requires a written request by the patient. */
  writtenRequestByPatient: 'written_request_by_patient'
  /** A legal text (description) must be displayed. */
  requiresLegalText: 'requires_legal_text'
  /** Food supplement. */
  isANutritionSupplement: 'is_a_nutrition_supplement'
  /** Narcotic. */
  narcotic: 'narcotic'
  /** Biocide. */
  biocide: 'biocide'
  /** Official commercial end date. */
  officialDeletionAt: 'official_deletion_at'
  /** EAN codes. */
  ean: 'ean'
  /**
   * GTIN.
   *
   * @deprecated use eanGtin14
   */
  gtin: 'gtin'
  /** CNK code; not every product has one. */
  cnk: 'cnk'
  /** EAN-8. */
  eanGtin8: 'ean_gtin8'
  /** EAN of 12 digits (UPC). */
  eanGtin12: 'ean_gtin12'
  /** EAN-13. */
  eanGtin13: 'ean_gtin13'
  /** EAN-14 (GTIN). */
  eanGtin14: 'ean_gtin14'
  /** Internal reference code a company gives the product. */
  supplierReference: 'supplier_reference'
  /** Harmonised System code. */
  hsCode: 'hs_code'
  /** UDI. */
  udi: 'udi'
  /** NUT. */
  nut: 'nut'
  /** Extended CTI code. */
  ctiExtended: 'cti_extended'
  /** Grouping-by-name code. */
  nameCti: 'name_cti'
  /** Conservation. */
  conservation: 'conservation'
  /** Description of the conservation type. */
  conservationLabel: `conservation_label_${Locale}`
  /** Description of the conservation type. */
  'conservationLabel.nl': 'conservation_label_nl'
  /** Description of the conservation type. */
  'conservationLabel.fr': 'conservation_label_fr'
  /** Description of the conservation type. */
  'conservationLabel.en': 'conservation_label_en'
  /** Minimum temperature. */
  conservationMin: 'conservation_min_celsius' | 'conservation_min_fahrenheit' | 'conservation_min_kelvin'
  /** Degrees Celsius. */
  'conservationMin.celsius': 'conservation_min_celsius'
  /** Degrees Fahrenheit. */
  'conservationMin.fahrenheit': 'conservation_min_fahrenheit'
  /** Kelvin. */
  'conservationMin.kelvin': 'conservation_min_kelvin'
  /** Maximum temperature. */
  conservationMax: 'conservation_max_celsius' | 'conservation_max_fahrenheit' | 'conservation_max_kelvin'
  /** Degrees Celsius. */
  'conservationMax.celsius': 'conservation_max_celsius'
  /** Degrees Fahrenheit. */
  'conservationMax.fahrenheit': 'conservation_max_fahrenheit'
  /** Kelvin. */
  'conservationMax.kelvin': 'conservation_max_kelvin'
  /** VAT rate. */
  vat: 'vat'
  /** Public price, including VAT. */
  publicPrice: 'public_price'
  /** Purchase price for the pharmacist via wholesaler, excluding VAT. */
  pharmacistPrice: 'pharmacist_price'
  /** What the patient pays under the standard reimbursement regime, including VAT. */
  refundValueWithOmnio: 'refund_value_with_omnio'
  /** What the patient pays under increased reimbursement, including VAT. */
  refundValueWithoutOmnio: 'refund_value_without_omnio'
  /** Manufacturer catalogue price without discount, excluding VAT. */
  manufacturerPrice: 'manufacturer_price'
  /**
   * Weight in grams.
   *
   * @deprecated use the *WithUnit object
   */
  weight: 'weight'
  /**
   * Width in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  width: 'width'
  /**
   * Length in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  length: 'length'
  /**
   * Depth in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  depth: 'depth'
  /** Weight. */
  weightWithUnit: 'weight_with_unit_value' | 'weight_with_unit_unit'
  /** Amount. */
  'weightWithUnit.value': 'weight_with_unit_value'
  /** Unit. */
  'weightWithUnit.unit': 'weight_with_unit_unit'
  /** Width. */
  widthWithUnit: 'width_with_unit_value' | 'width_with_unit_unit'
  /** Amount. */
  'widthWithUnit.value': 'width_with_unit_value'
  /** Unit. */
  'widthWithUnit.unit': 'width_with_unit_unit'
  /** Length. */
  lengthWithUnit: 'length_with_unit_value' | 'length_with_unit_unit'
  /** Amount. */
  'lengthWithUnit.value': 'length_with_unit_value'
  /** Unit. */
  'lengthWithUnit.unit': 'length_with_unit_unit'
  /** Depth. */
  depthWithUnit: 'depth_with_unit_value' | 'depth_with_unit_unit'
  /** Amount. */
  'depthWithUnit.value': 'depth_with_unit_value'
  /** Unit. */
  'depthWithUnit.unit': 'depth_with_unit_unit'
  /** Content of the package. */
  packageContent: 'package_content'
  /** Quantity in the package. */
  packageQuantity: 'package_quantity'
  /** Unit of the package. */
  packagingUnit: 'packaging_unit'
  /** Fields that do not apply to the product. */
  notApplicableField: 'not_applicable_field'
  /**
   * ATC code.
   *
   * @deprecated use atcCategory
   */
  atc: 'atc'
  /** ATC category codes. */
  atcCategory: 'atc_category'
  /** End of commercialization, if any. */
  endOfCommercializationData:
    | 'end_of_commercialization_data_from_date'
    | 'end_of_commercialization_data_expected_end_date'
    | 'end_of_commercialization_data_status'
    | 'end_of_commercialization_data_reason'
    | 'end_of_commercialization_data_impact'
  /** Start. */
  'endOfCommercializationData.fromDate': 'end_of_commercialization_data_from_date'
  /** Expected end. */
  'endOfCommercializationData.expectedEndDate': 'end_of_commercialization_data_expected_end_date'
  /** Status. */
  'endOfCommercializationData.status': 'end_of_commercialization_data_status'
  /** Reason. */
  'endOfCommercializationData.reason': 'end_of_commercialization_data_reason'
  /** Impact. */
  'endOfCommercializationData.impact': 'end_of_commercialization_data_impact'
  /** Whether it is deleted. */
  deleted: 'deleted'
  /** About the record. */
  meta: 'meta_created_at' | 'meta_updated_at' | 'meta_embed_url' | 'meta_public_page_url'
  /** Creation; may be null. */
  'meta.createdAt': 'meta_created_at'
  /** Last change, photos and links included. */
  'meta.updatedAt': 'meta_updated_at'
  /** Pre-signed address of the embeddable page, valid for a few hours. */
  'meta.embedUrl': 'meta_embed_url'
  /** Public page, valid for 6 months. */
  'meta.publicPageUrl': 'meta_public_page_url'
}

/** Field paths of the rows of `product_galenic_shapes`, with the columns that they become. */
export interface ProductGalenicShapesV4Paths<Locale extends string> {
  /** Code. */
  id: 'id'
  /** Code of the parent shape. */
  parent: 'parent'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `product_public_categories`, with the columns that they become. */
export interface ProductPublicCategoriesV4Paths<Locale extends string> {
  /** Category id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Id of the parent category; null for roots. */
  parent: 'parent'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_catalog_categories`, with the columns that they become. */
export interface ProductCatalogCategoriesV4Paths<Locale extends string> {
  /** Category id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Description. */
  description: `description_${Locale}`
  /** Description. */
  'description.nl': 'description_nl'
  /** Description. */
  'description.fr': 'description_fr'
  /** Description. */
  'description.en': 'description_en'
  /** Id of the parent category; null for roots. */
  parent: 'parent'
  /** Sort order. */
  order: 'order'
  /** Kind of category. */
  type: 'type'
}

/** Field paths of the rows of `product_apb_category`, with the columns that they become. */
export interface ProductApbCategoryV4Paths<Locale extends string> {
  /** APB category code. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `product_bcfi_category`, with the columns that they become. */
export interface ProductBcfiCategoryV4Paths<Locale extends string> {
  /** Category id. */
  id: 'id'
  /** Id of the parent category; null for roots. */
  parent: 'parent'
  /** Sort order. */
  order: 'order'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_supply_problems`, with the columns that they become. */
export interface ProductSupplyProblemsV4Paths {
  /** Start. */
  fromDate: 'from_date'
  /** Expected availability. */
  endDate: 'end_date'
  /** Reason. */
  reason: 'reason'
  /** Impact. */
  impact: 'impact'
}

/** Field paths of the rows of `product_brands`, with the columns that they become. */
export interface ProductBrandsV4Paths<Locale extends string> {
  /** Brand id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_product_family`, with the columns that they become. */
export interface ProductProductFamilyV4Paths<Locale extends string> {
  /** Product family id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_organizations`, with the columns that they become. */
export interface ProductOrganizationsV4Paths<Locale extends string> {
  /** Organization id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Kind of organization. */
  type: 'type'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Present only for suppliers. */
  contactInformation:
    | 'contact_information_address'
    | 'contact_information_zip_code'
    | 'contact_information_region'
    | 'contact_information_city'
    | 'contact_information_country'
    | 'contact_information_email'
    | 'contact_information_url'
  /** Street and number. */
  'contactInformation.address': 'contact_information_address'
  /** Postal code. */
  'contactInformation.zipCode': 'contact_information_zip_code'
  /** Region. */
  'contactInformation.region': 'contact_information_region'
  /** City. */
  'contactInformation.city': 'contact_information_city'
  /** ISO 3166 alpha-2. */
  'contactInformation.country': 'contact_information_country'
  /** E-mail address. */
  'contactInformation.email': 'contact_information_email'
  /** Web address. */
  'contactInformation.url': 'contact_information_url'
}

/** Field paths of the rows of `product_active_ingredients`, with the columns that they become. */
export interface ProductActiveIngredientsV4Paths<Locale extends string> {
  /** Active ingredient id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_attributes`, with the columns that they become. */
export interface ProductAttributesV4Paths<Locale extends string> {
  /** Attribute option id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_dietary_restrictions`, with the columns that they become. */
export interface ProductDietaryRestrictionsV4Paths<Locale extends string> {
  /** Dietary restriction code. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `product_colors`, with the columns that they become. */
export interface ProductColorsV4Paths<Locale extends string> {
  /** Color code. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `product_allowed_species`, with the columns that they become. */
export interface ProductAllowedSpeciesV4Paths<Locale extends string> {
  /** Species id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `product_photos`, with the columns that they become. */
export interface ProductPhotosV4Paths<Locale extends string> {
  /** Media id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of photo. */
  photoType: 'photo_type'
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats:
    | 'formats_thumbnail'
    | 'formats_thumbnail_webp'
    | 'formats_medium'
    | 'formats_medium_webp'
    | 'formats_large'
    | 'formats_large_webp'
    | 'formats_huge'
    | 'formats_huge_webp'
    | 'formats_unkeyed'
  /** Image address, thumbnail. */
  'formats.thumbnail': 'formats_thumbnail'
  /** Image address, thumbnailWebp. */
  'formats.thumbnailWebp': 'formats_thumbnail_webp'
  /** Image address, medium. */
  'formats.medium': 'formats_medium'
  /** Image address, mediumWebp. */
  'formats.mediumWebp': 'formats_medium_webp'
  /** Image address, large. */
  'formats.large': 'formats_large'
  /** Image address, largeWebp. */
  'formats.largeWebp': 'formats_large_webp'
  /** Image address, huge. */
  'formats.huge': 'formats_huge'
  /** Image address, hugeWebp. */
  'formats.hugeWebp': 'formats_huge_webp'
  /** Addresses that came as a plain list, without a size. */
  'formats.unkeyed': 'formats_unkeyed'
  /** Sides of the package that can be seen. */
  visibleSides: 'visible_sides'
  /** 1-based position within the product's photos. */
  displayOrder: 'display_order'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `product_photo_organizations`, with the columns that they become. */
export type ProductPhotoOrganizationsV4Paths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `product_frontals`, with the columns that they become. */
export interface ProductFrontalsV4Paths<Locale extends string> {
  /** Media id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of photo. */
  photoType: 'photo_type'
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats:
    | 'formats_thumbnail'
    | 'formats_thumbnail_webp'
    | 'formats_medium'
    | 'formats_medium_webp'
    | 'formats_large'
    | 'formats_large_webp'
    | 'formats_huge'
    | 'formats_huge_webp'
    | 'formats_medium_jpeg'
    | 'formats_large_jpg'
    | 'formats_unkeyed'
  /** Image address, thumbnail. */
  'formats.thumbnail': 'formats_thumbnail'
  /** Image address, thumbnailWebp. */
  'formats.thumbnailWebp': 'formats_thumbnail_webp'
  /** Image address, medium. */
  'formats.medium': 'formats_medium'
  /** Image address, mediumWebp. */
  'formats.mediumWebp': 'formats_medium_webp'
  /** Image address, large. */
  'formats.large': 'formats_large'
  /** Image address, largeWebp. */
  'formats.largeWebp': 'formats_large_webp'
  /** Image address, huge. */
  'formats.huge': 'formats_huge'
  /** Image address, hugeWebp. */
  'formats.hugeWebp': 'formats_huge_webp'
  /** Image address, mediumJpeg. */
  'formats.mediumJpeg': 'formats_medium_jpeg'
  /** Image address, largeJpg. */
  'formats.largeJpg': 'formats_large_jpg'
  /** Addresses that came as a plain list, without a size. */
  'formats.unkeyed': 'formats_unkeyed'
  /** Sides of the package that can be seen. */
  visibleSides: 'visible_sides'
  /** 1-based position within the product's frontals. */
  displayOrder: 'display_order'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `product_frontal_organizations`, with the columns that they become. */
export type ProductFrontalOrganizationsV4Paths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `product_links`, with the columns that they become. */
export interface ProductLinksV4Paths<Locale extends string> {
  /** Media id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of link. */
  type: 'type'
  /** Address. */
  url: 'url'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Description. */
  description: `description_${Locale}`
  /** Description. */
  'description.nl': 'description_nl'
  /** Description. */
  'description.fr': 'description_fr'
  /** Description. */
  'description.en': 'description_en'
  /** When the link is available. */
  available: 'available_from' | 'available_until'
  /** Start. */
  'available.from': 'available_from'
  /** End. */
  'available.until': 'available_until'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Kind of link. */
  linkType: 'link_type'
  /** 1-based position. */
  displayOrder: 'display_order'
}

/** Field paths of the rows of `product_link_organizations`, with the columns that they become. */
export type ProductLinkOrganizationsV4Paths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `product_descriptions`, with the columns that they become. */
export interface ProductDescriptionsV4Paths<Locale extends string> {
  /** Description id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of description. */
  type: 'type'
  /** Text in a subset of HTML. */
  content: `content_${Locale}`
  /** Text in a subset of HTML. */
  'content.nl': 'content_nl'
  /** Text in a subset of HTML. */
  'content.fr': 'content_fr'
  /** Text in a subset of HTML. */
  'content.en': 'content_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_leaflets`, with the columns that they become. */
export interface ProductLeafletsV4Paths<Locale extends string> {
  /** Leaflet id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Kind of leaflet. */
  type: 'type'
  /** Address. */
  url: `url_${Locale}`
  /** Address. */
  'url.nl': 'url_nl'
  /** Address. */
  'url.fr': 'url_fr'
  /** Address. */
  'url.en': 'url_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `media`, with the columns that they become. */
export interface MediaV4Paths<Locale extends string> {
  /** Unique media id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of media item. */
  type: 'type'
  /** Address. */
  url: 'url'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Description. */
  description: `description_${Locale}`
  /** Description. */
  'description.nl': 'description_nl'
  /** Description. */
  'description.fr': 'description_fr'
  /** Description. */
  'description.en': 'description_en'
  /** When the link is available. */
  available: 'available_from' | 'available_until'
  /** Start. */
  'available.from': 'available_from'
  /** End. */
  'available.until': 'available_until'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Kind of link. */
  linkType: 'link_type'
  /** 1-based position. */
  displayOrder: 'display_order'
  /** Kind of photo. */
  photoType: 'photo_type'
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats:
    | 'formats_thumbnail'
    | 'formats_thumbnail_webp'
    | 'formats_medium'
    | 'formats_medium_webp'
    | 'formats_large'
    | 'formats_large_webp'
    | 'formats_huge'
    | 'formats_huge_webp'
    | 'formats_medium_jpeg'
    | 'formats_large_jpg'
    | 'formats_unkeyed'
  /** Image address, thumbnail. */
  'formats.thumbnail': 'formats_thumbnail'
  /** Image address, thumbnailWebp. */
  'formats.thumbnailWebp': 'formats_thumbnail_webp'
  /** Image address, medium. */
  'formats.medium': 'formats_medium'
  /** Image address, mediumWebp. */
  'formats.mediumWebp': 'formats_medium_webp'
  /** Image address, large. */
  'formats.large': 'formats_large'
  /** Image address, largeWebp. */
  'formats.largeWebp': 'formats_large_webp'
  /** Image address, huge. */
  'formats.huge': 'formats_huge'
  /** Image address, hugeWebp. */
  'formats.hugeWebp': 'formats_huge_webp'
  /** Image address, mediumJpeg. */
  'formats.mediumJpeg': 'formats_medium_jpeg'
  /** Image address, largeJpg. */
  'formats.largeJpg': 'formats_large_jpg'
  /** Addresses that came as a plain list, without a size. */
  'formats.unkeyed': 'formats_unkeyed'
  /** Sides of the package that can be seen. */
  visibleSides: 'visible_sides'
  /** Whether it is published. */
  published: 'published'
  /** Ids of the products it is linked to. */
  products: 'products'
}

/** Field paths of the rows of `media_organizations`, with the columns that they become. */
export type MediaOrganizationsV4Paths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `photos`, with the columns that they become. */
export interface PhotosV4Paths<Locale extends string> {
  /** Unique media id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of photo. */
  photoType: 'photo_type'
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats:
    | 'formats_thumbnail'
    | 'formats_thumbnail_webp'
    | 'formats_medium'
    | 'formats_medium_webp'
    | 'formats_large'
    | 'formats_large_webp'
    | 'formats_huge'
    | 'formats_huge_webp'
    | 'formats_unkeyed'
  /** Image address, thumbnail. */
  'formats.thumbnail': 'formats_thumbnail'
  /** Image address, thumbnailWebp. */
  'formats.thumbnailWebp': 'formats_thumbnail_webp'
  /** Image address, medium. */
  'formats.medium': 'formats_medium'
  /** Image address, mediumWebp. */
  'formats.mediumWebp': 'formats_medium_webp'
  /** Image address, large. */
  'formats.large': 'formats_large'
  /** Image address, largeWebp. */
  'formats.largeWebp': 'formats_large_webp'
  /** Image address, huge. */
  'formats.huge': 'formats_huge'
  /** Image address, hugeWebp. */
  'formats.hugeWebp': 'formats_huge_webp'
  /** Addresses that came as a plain list, without a size. */
  'formats.unkeyed': 'formats_unkeyed'
  /** Sides of the package that can be seen. */
  visibleSides: 'visible_sides'
  /** 1-based position within the product's photos. */
  displayOrder: 'display_order'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `photo_organizations`, with the columns that they become. */
export type PhotoOrganizationsV4Paths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `frontals`, with the columns that they become. */
export interface FrontalsV4Paths<Locale extends string> {
  /** Unique media id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of photo. */
  photoType: 'photo_type'
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats:
    | 'formats_thumbnail'
    | 'formats_thumbnail_webp'
    | 'formats_medium'
    | 'formats_medium_webp'
    | 'formats_large'
    | 'formats_large_webp'
    | 'formats_huge'
    | 'formats_huge_webp'
    | 'formats_medium_jpeg'
    | 'formats_large_jpg'
    | 'formats_unkeyed'
  /** Image address, thumbnail. */
  'formats.thumbnail': 'formats_thumbnail'
  /** Image address, thumbnailWebp. */
  'formats.thumbnailWebp': 'formats_thumbnail_webp'
  /** Image address, medium. */
  'formats.medium': 'formats_medium'
  /** Image address, mediumWebp. */
  'formats.mediumWebp': 'formats_medium_webp'
  /** Image address, large. */
  'formats.large': 'formats_large'
  /** Image address, largeWebp. */
  'formats.largeWebp': 'formats_large_webp'
  /** Image address, huge. */
  'formats.huge': 'formats_huge'
  /** Image address, hugeWebp. */
  'formats.hugeWebp': 'formats_huge_webp'
  /** Image address, mediumJpeg. */
  'formats.mediumJpeg': 'formats_medium_jpeg'
  /** Image address, largeJpg. */
  'formats.largeJpg': 'formats_large_jpg'
  /** Addresses that came as a plain list, without a size. */
  'formats.unkeyed': 'formats_unkeyed'
  /** Sides of the package that can be seen. */
  visibleSides: 'visible_sides'
  /** 1-based position within the product's frontals. */
  displayOrder: 'display_order'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `frontal_organizations`, with the columns that they become. */
export type FrontalOrganizationsV4Paths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `media_links`, with the columns that they become. */
export interface MediaLinksV4Paths<Locale extends string> {
  /** Unique media id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of link. */
  type: 'type'
  /** Address. */
  url: 'url'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Description. */
  description: `description_${Locale}`
  /** Description. */
  'description.nl': 'description_nl'
  /** Description. */
  'description.fr': 'description_fr'
  /** Description. */
  'description.en': 'description_en'
  /** When the link is available. */
  available: 'available_from' | 'available_until'
  /** Start. */
  'available.from': 'available_from'
  /** End. */
  'available.until': 'available_until'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Kind of link. */
  linkType: 'link_type'
  /** 1-based position. */
  displayOrder: 'display_order'
}

/** Field paths of the rows of `media_link_organizations`, with the columns that they become. */
export type MediaLinkOrganizationsV4Paths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `descriptions`, with the columns that they become. */
export interface DescriptionsV4Paths<Locale extends string> {
  /** Unique description id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of description. */
  type: 'type'
  /** Text in a subset of HTML. */
  content: `content_${Locale}`
  /** Text in a subset of HTML. */
  'content.nl': 'content_nl'
  /** Text in a subset of HTML. */
  'content.fr': 'content_fr'
  /** Text in a subset of HTML. */
  'content.en': 'content_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `leaflets`, with the columns that they become. */
export interface LeafletsV4Paths<Locale extends string> {
  /** Unique leaflet id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Kind of leaflet. */
  type: 'type'
  /** Address. */
  url: `url_${Locale}`
  /** Address. */
  'url.nl': 'url_nl'
  /** Address. */
  'url.fr': 'url_fr'
  /** Address. */
  'url.en': 'url_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `news_items`, with the columns that they become. */
export interface NewsItemsV4Paths<Locale extends string> {
  /** Unique news item id. */
  id: 'id'
  /** What it is about. */
  type: 'type'
  /** Id of the creating organization. */
  organization: 'organization'
  /** Title. */
  title: `title_${Locale}`
  /** Title. */
  'title.nl': 'title_nl'
  /** Title. */
  'title.fr': 'title_fr'
  /** Title. */
  'title.en': 'title_en'
  /** Product ids (type product). */
  products: 'products'
  /** Brand ids (type brand). */
  brands: 'brands'
  /** Public category ids (type public_category). */
  categories: 'categories'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `news_item_content`, with the columns that they become. */
export interface NewsItemContentV4Paths<Locale extends string> {
  /** Languages it suits. */
  locales: 'locales'
  /** Text. */
  text: `text_${Locale}`
  /** Text. */
  'text.nl': 'text_nl'
  /** Text. */
  'text.fr': 'text_fr'
  /** Text. */
  'text.en': 'text_en'
}

/** Field paths of the rows of `corrections`, with the columns that they become. */
export interface CorrectionsV4Paths {
  /** Unique correction id. */
  id: 'id'
  /** Product id. */
  product: 'product'
  /** CNK code. */
  cnk: 'cnk'
  /** Locale of the feedback. */
  locale: 'locale'
  /** Correction type. */
  type: 'type'
  /** Feedback. */
  text: 'text'
  /** State. */
  status: 'status'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `active_ingredients`, with the columns that they become. */
export interface ActiveIngredientsV4Paths<Locale extends string> {
  /** Unique active ingredient id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `organizations`, with the columns that they become. */
export interface OrganizationsV4Paths<Locale extends string> {
  /** Unique organization id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Kind of organization. */
  type: 'type'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Present only for suppliers. */
  contactInformation:
    | 'contact_information_address'
    | 'contact_information_zip_code'
    | 'contact_information_region'
    | 'contact_information_city'
    | 'contact_information_country'
    | 'contact_information_email'
    | 'contact_information_url'
  /** Street and number. */
  'contactInformation.address': 'contact_information_address'
  /** Postal code. */
  'contactInformation.zipCode': 'contact_information_zip_code'
  /** Region. */
  'contactInformation.region': 'contact_information_region'
  /** City. */
  'contactInformation.city': 'contact_information_city'
  /** ISO 3166 alpha-2. */
  'contactInformation.country': 'contact_information_country'
  /** E-mail address. */
  'contactInformation.email': 'contact_information_email'
  /** Web address. */
  'contactInformation.url': 'contact_information_url'
}

/** Field paths of the rows of `brands`, with the columns that they become. */
export interface BrandsV4Paths<Locale extends string> {
  /** Unique brand id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_families`, with the columns that they become. */
export interface ProductFamiliesV4Paths<Locale extends string> {
  /** Unique product family id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `public_categories`, with the columns that they become. */
export interface PublicCategoriesV4Paths<Locale extends string> {
  /** Unique public category id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Id of the parent category; null for roots. */
  parent: 'parent'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `catalog_categories`, with the columns that they become. */
export interface CatalogCategoriesV4Paths<Locale extends string> {
  /** Unique category code. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Description. */
  description: `description_${Locale}`
  /** Description. */
  'description.nl': 'description_nl'
  /** Description. */
  'description.fr': 'description_fr'
  /** Description. */
  'description.en': 'description_en'
  /** Id of the parent category; null for roots. */
  parent: 'parent'
  /** Sort order. */
  order: 'order'
  /** Kind of category. */
  type: 'type'
}

/** Field paths of the rows of `apb_categories`, with the columns that they become. */
export interface ApbCategoriesV4Paths<Locale extends string> {
  /** Unique category code. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `bcfi_categories`, with the columns that they become. */
export interface BcfiCategoriesV4Paths<Locale extends string> {
  /** Unique category code. */
  id: 'id'
  /** Id of the parent category; null for roots. */
  parent: 'parent'
  /** Sort order. */
  order: 'order'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `galenic_shapes`, with the columns that they become. */
export interface GalenicShapesV4Paths<Locale extends string> {
  /** Unique galenic shape code. */
  id: 'id'
  /** Code of the parent shape. */
  parent: 'parent'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `dietary_restrictions`, with the columns that they become. */
export interface DietaryRestrictionsV4Paths<Locale extends string> {
  /** Unique dietary restriction code. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `colors`, with the columns that they become. */
export interface ColorsV4Paths<Locale extends string> {
  /** Unique color code. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `species`, with the columns that they become. */
export interface SpeciesV4Paths<Locale extends string> {
  /** Unique species code. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
}

/** Field paths of the rows of `attributes`, with the columns that they become. */
export interface AttributesV4Paths<Locale extends string> {
  /** Unique attribute option id. */
  id: 'id'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `products`, with the columns that they become. */
export interface ProductsV3Paths<Locale extends string> {
  /** Unique product identifier. */
  id: 'id'
  /** State. */
  status: 'status'
  /**
   * Whether it may be sold online.
   *
   * @deprecated
   */
  ecommerce: 'ecommerce'
  /** Id of the replacing product, when status is replaced. */
  replacement: 'replacement'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** SEO friendly name. */
  seoName: `seo_name_${Locale}`
  /** SEO friendly name. */
  'seoName.nl': 'seo_name_nl'
  /** SEO friendly name. */
  'seoName.fr': 'seo_name_fr'
  /** SEO friendly name. */
  'seoName.en': 'seo_name_en'
  /**
   * Short description.
   *
   * @deprecated
   */
  shortDescription: `short_description_${Locale}`
  /**
   * Short description.
   *
   * @deprecated
   */
  'shortDescription.nl': 'short_description_nl'
  /**
   * Short description.
   *
   * @deprecated
   */
  'shortDescription.fr': 'short_description_fr'
  /**
   * Short description.
   *
   * @deprecated
   */
  'shortDescription.en': 'short_description_en'
  /** Whether refundability expires. */
  expires: 'expires'
  /** Refund for trade-in. */
  tradeInRefundValue: 'trade_in_refund_value'
  /** Months before expiry that it can be traded in. */
  tradeInMonthsBeforeExpiry: 'trade_in_months_before_expiry'
  /** Months after expiry that it can be traded in. */
  tradeInMonthsAfterExpiry: 'trade_in_months_after_expiry'
  /** Requires a prescription. */
  prescription: 'prescription'
  /** Requires a written request by the patient. */
  writtenRequestByPatient: 'written_request_by_patient'
  /** A legal text (description) must be displayed. */
  requiresLegalText: 'requires_legal_text'
  /** Food supplement. */
  isANutritionSupplement: 'is_a_nutrition_supplement'
  /** Official commercial end date. */
  officialDeletionAt: 'official_deletion_at'
  /** EAN codes. */
  ean: 'ean'
  /** GTIN. */
  gtin: 'gtin'
  /** CNK code; not every product has one. */
  cnk: 'cnk'
  /** Internal reference code a company gives the product. */
  supplierReference: 'supplier_reference'
  /** Extended CTI code. */
  ctiExtended: 'cti_extended'
  /** Conservation. */
  conservation: 'conservation'
  /** VAT rate. */
  vat: 'vat'
  /** Public price, including VAT. */
  publicPrice: 'public_price'
  /** Purchase price for the pharmacist via wholesaler, excluding VAT. */
  pharmacistPrice: 'pharmacist_price'
  /** What the patient pays under the standard reimbursement regime, including VAT. */
  refundValueWithOmnio: 'refund_value_with_omnio'
  /** What the patient pays under increased reimbursement, including VAT. */
  refundValueWithoutOmnio: 'refund_value_without_omnio'
  /** Weight in grams. */
  weight: 'weight'
  /** Width in millimeters. */
  width: 'width'
  /** Length in millimeters. */
  length: 'length'
  /** Depth in millimeters. */
  depth: 'depth'
  /** Content of the package. */
  packageContent: 'package_content'
  /** Quantity in the package. */
  packageQuantity: 'package_quantity'
  /** Unit of the package. */
  packagingUnit: 'packaging_unit'
  /**
   * ATC code.
   *
   * @deprecated use atcCategory
   */
  atc: 'atc'
  /** ATC category codes. */
  atcCategory: 'atc_category'
  /** About the record. */
  meta: 'meta_created_at' | 'meta_updated_at' | 'meta_embed_url'
  /** Creation; may be null. */
  'meta.createdAt': 'meta_created_at'
  /** Last change, photos and links included. */
  'meta.updatedAt': 'meta_updated_at'
  /** Pre-signed address of the embeddable page, valid for a few hours. */
  'meta.embedUrl': 'meta_embed_url'
}

/** Field paths of the rows of `product_public_categories`, with the columns that they become. */
export type ProductPublicCategoriesV3Paths<Locale extends string> = ProductPublicCategoriesV4Paths<Locale>

/** Field paths of the rows of `product_apb_category`, with the columns that they become. */
export type ProductApbCategoryV3Paths<Locale extends string> = ProductApbCategoryV4Paths<Locale>

/** Field paths of the rows of `product_bcfi_category`, with the columns that they become. */
export type ProductBcfiCategoryV3Paths<Locale extends string> = ProductBcfiCategoryV4Paths<Locale>

/** Field paths of the rows of `product_brands`, with the columns that they become. */
export type ProductBrandsV3Paths<Locale extends string> = ProductBrandsV4Paths<Locale>

/** Field paths of the rows of `product_product_family`, with the columns that they become. */
export type ProductProductFamilyV3Paths<Locale extends string> = ProductProductFamilyV4Paths<Locale>

/** Field paths of the rows of `product_organizations`, with the columns that they become. */
export type ProductOrganizationsV3Paths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `product_active_ingredients`, with the columns that they become. */
export type ProductActiveIngredientsV3Paths<Locale extends string> = ProductActiveIngredientsV4Paths<Locale>

/** Field paths of the rows of `product_attributes`, with the columns that they become. */
export type ProductAttributesV3Paths<Locale extends string> = ProductAttributesV4Paths<Locale>

/** Field paths of the rows of `product_photos`, with the columns that they become. */
export interface ProductPhotosV3Paths {
  /** Photo id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of photo. */
  type: 'type'
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats:
    | 'formats_thumbnail'
    | 'formats_thumbnail_webp'
    | 'formats_medium'
    | 'formats_medium_webp'
    | 'formats_large'
    | 'formats_large_webp'
    | 'formats_huge'
    | 'formats_huge_webp'
    | 'formats_medium_jpeg'
    | 'formats_large_jpg'
    | 'formats_unkeyed'
  /** Image address, thumbnail. */
  'formats.thumbnail': 'formats_thumbnail'
  /** Image address, thumbnailWebp. */
  'formats.thumbnailWebp': 'formats_thumbnail_webp'
  /** Image address, medium. */
  'formats.medium': 'formats_medium'
  /** Image address, mediumWebp. */
  'formats.mediumWebp': 'formats_medium_webp'
  /** Image address, large. */
  'formats.large': 'formats_large'
  /** Image address, largeWebp. */
  'formats.largeWebp': 'formats_large_webp'
  /** Image address, huge. */
  'formats.huge': 'formats_huge'
  /** Image address, hugeWebp. */
  'formats.hugeWebp': 'formats_huge_webp'
  /** Image address, mediumJpeg. */
  'formats.mediumJpeg': 'formats_medium_jpeg'
  /** Image address, largeJpg. */
  'formats.largeJpg': 'formats_large_jpg'
  /** Addresses that came as a plain list, without a size. */
  'formats.unkeyed': 'formats_unkeyed'
  /** Sides of the package that can be seen. */
  visibleSides: 'visible_sides'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_frontals`, with the columns that they become. */
export type ProductFrontalsV3Paths = ProductPhotosV3Paths

/** Field paths of the rows of `product_links`, with the columns that they become. */
export interface ProductLinksV3Paths<Locale extends string> {
  /** Link id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of link. */
  type: 'type'
  /** Address. */
  url: 'url'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Description. */
  description: `description_${Locale}`
  /** Description. */
  'description.nl': 'description_nl'
  /** Description. */
  'description.fr': 'description_fr'
  /** Description. */
  'description.en': 'description_en'
  /** When the link is available. */
  available: 'available_from' | 'available_until'
  /** Start. */
  'available.from': 'available_from'
  /** End. */
  'available.until': 'available_until'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_descriptions`, with the columns that they become. */
export interface ProductDescriptionsV3Paths<Locale extends string> {
  /** Description id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of description. */
  type: 'type'
  /** Text by locale. */
  content: `content_${Locale}_html` | `content_${Locale}_markdown`
  /** Text in HTML. */
  'content.html': `content_${Locale}_html`
  /**
   * Text in Markdown.
   *
   * @deprecated announced as to be deprecated
   */
  'content.markdown': `content_${Locale}_markdown`
  /** Text. */
  'content.nl': 'content_nl_html' | 'content_nl_markdown'
  /** Text in HTML. */
  'content.nl.html': 'content_nl_html'
  /**
   * Text in Markdown.
   *
   * @deprecated announced as to be deprecated
   */
  'content.nl.markdown': 'content_nl_markdown'
  /** Text. */
  'content.fr': 'content_fr_html' | 'content_fr_markdown'
  /** Text in HTML. */
  'content.fr.html': 'content_fr_html'
  /**
   * Text in Markdown.
   *
   * @deprecated announced as to be deprecated
   */
  'content.fr.markdown': 'content_fr_markdown'
  /** Text. */
  'content.en': 'content_en_html' | 'content_en_markdown'
  /** Text in HTML. */
  'content.en.html': 'content_en_html'
  /**
   * Text in Markdown.
   *
   * @deprecated announced as to be deprecated
   */
  'content.en.markdown': 'content_en_markdown'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
}

/** Field paths of the rows of `product_leaflets`, with the columns that they become. */
export type ProductLeafletsV3Paths<Locale extends string> = ProductLeafletsV4Paths<Locale>

/** Field paths of the rows of `news_items`, with the columns that they become. */
export type NewsItemsV3Paths<Locale extends string> = NewsItemsV4Paths<Locale>

/** Field paths of the rows of `news_item_content`, with the columns that they become. */
export type NewsItemContentV3Paths<Locale extends string> = NewsItemContentV4Paths<Locale>

/** Field paths of the rows of `corrections`, with the columns that they become. */
export type CorrectionsV3Paths = CorrectionsV4Paths

/** Field paths of the rows of `active_ingredients`, with the columns that they become. */
export type ActiveIngredientsV3Paths<Locale extends string> = ActiveIngredientsV4Paths<Locale>

/** Field paths of the rows of `organizations`, with the columns that they become. */
export type OrganizationsV3Paths<Locale extends string> = OrganizationsV4Paths<Locale>

/** Field paths of the rows of `brands`, with the columns that they become. */
export type BrandsV3Paths<Locale extends string> = BrandsV4Paths<Locale>

/** Field paths of the rows of `public_categories`, with the columns that they become. */
export type PublicCategoriesV3Paths<Locale extends string> = PublicCategoriesV4Paths<Locale>

/** Field paths of the rows of `apb_categories`, with the columns that they become. */
export type ApbCategoriesV3Paths<Locale extends string> = ApbCategoriesV4Paths<Locale>

/** Field paths of the rows of `bcfi_categories`, with the columns that they become. */
export type BcfiCategoriesV3Paths<Locale extends string> = BcfiCategoriesV4Paths<Locale>

/** Field paths of the rows of `attributes`, with the columns that they become. */
export type AttributesV3Paths<Locale extends string> = AttributesV4Paths<Locale>

/** Field paths of the rows of `products`, with the columns that they become. */
export interface ProductsPaths<Locale extends string> {
  /** Unique product identifier. */
  id: 'id'
  /** State. */
  status: 'status'
  /**
   * Whether it may be sold online.
   *
   * @deprecated
   */
  ecommerce: 'ecommerce'
  /** Id of the replacing product, when status is replaced. */
  replacement: 'replacement'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** SEO friendly name. */
  seoName: `seo_name_${Locale}`
  /** SEO friendly name. */
  'seoName.nl': 'seo_name_nl'
  /** SEO friendly name. */
  'seoName.fr': 'seo_name_fr'
  /** SEO friendly name. */
  'seoName.en': 'seo_name_en'
  /**
   * Short description.
   *
   * @deprecated
   */
  shortDescription: `short_description_${Locale}`
  /**
   * Short description.
   *
   * @deprecated
   */
  'shortDescription.nl': 'short_description_nl'
  /**
   * Short description.
   *
   * @deprecated
   */
  'shortDescription.fr': 'short_description_fr'
  /**
   * Short description.
   *
   * @deprecated
   */
  'shortDescription.en': 'short_description_en'
  /**
   * Whether refundability expires.
   *
   * @deprecated
   */
  expires: 'expires'
  /**
   * Refund for trade-in.
   *
   * @deprecated
   */
  tradeInRefundValue: 'trade_in_refund_value'
  /**
   * Months before expiry that it can be traded in.
   *
   * @deprecated
   */
  tradeInMonthsBeforeExpiry: 'trade_in_months_before_expiry'
  /**
   * Months after expiry that it can be traded in.
   *
   * @deprecated
   */
  tradeInMonthsAfterExpiry: 'trade_in_months_after_expiry'
  /** Requires a prescription. */
  prescription: 'prescription'
  /** Requires a written request by the patient. */
  writtenRequestByPatient: 'written_request_by_patient'
  /** A legal text (description) must be displayed. */
  requiresLegalText: 'requires_legal_text'
  /** Food supplement. */
  isANutritionSupplement: 'is_a_nutrition_supplement'
  /** Narcotic. */
  narcotic: 'narcotic'
  /** Biocide. */
  biocide: 'biocide'
  /** Official commercial end date. */
  officialDeletionAt: 'official_deletion_at'
  /** EAN codes. */
  ean: 'ean'
  /**
   * GTIN.
   *
   * @deprecated use eanGtin14
   */
  gtin: 'gtin'
  /** CNK code; not every product has one. */
  cnk: 'cnk'
  /** EAN-8. */
  eanGtin8: 'ean_gtin8'
  /** EAN of 12 digits (UPC). */
  eanGtin12: 'ean_gtin12'
  /** EAN-13. */
  eanGtin13: 'ean_gtin13'
  /** EAN-14 (GTIN). */
  eanGtin14: 'ean_gtin14'
  /** Internal reference code a company gives the product. */
  supplierReference: 'supplier_reference'
  /** Harmonised System code. */
  hsCode: 'hs_code'
  /** UDI. */
  udi: 'udi'
  /** NUT. */
  nut: 'nut'
  /** Extended CTI code. */
  ctiExtended: 'cti_extended'
  /** Grouping-by-name code. */
  nameCti: 'name_cti'
  /** Conservation. */
  conservation: 'conservation'
  /** Description of the conservation type. */
  conservationLabel: `conservation_label_${Locale}`
  /** Description of the conservation type. */
  'conservationLabel.nl': 'conservation_label_nl'
  /** Description of the conservation type. */
  'conservationLabel.fr': 'conservation_label_fr'
  /** Description of the conservation type. */
  'conservationLabel.en': 'conservation_label_en'
  /** Minimum temperature. */
  conservationMin: 'conservation_min_celsius' | 'conservation_min_fahrenheit' | 'conservation_min_kelvin'
  /** Degrees Celsius. */
  'conservationMin.celsius': 'conservation_min_celsius'
  /** Degrees Fahrenheit. */
  'conservationMin.fahrenheit': 'conservation_min_fahrenheit'
  /** Kelvin. */
  'conservationMin.kelvin': 'conservation_min_kelvin'
  /** Maximum temperature. */
  conservationMax: 'conservation_max_celsius' | 'conservation_max_fahrenheit' | 'conservation_max_kelvin'
  /** Degrees Celsius. */
  'conservationMax.celsius': 'conservation_max_celsius'
  /** Degrees Fahrenheit. */
  'conservationMax.fahrenheit': 'conservation_max_fahrenheit'
  /** Kelvin. */
  'conservationMax.kelvin': 'conservation_max_kelvin'
  /** VAT rate. */
  vat: 'vat'
  /** Public price, including VAT. */
  publicPrice: 'public_price'
  /** Purchase price for the pharmacist via wholesaler, excluding VAT. */
  pharmacistPrice: 'pharmacist_price'
  /** What the patient pays under the standard reimbursement regime, including VAT. */
  refundValueWithOmnio: 'refund_value_with_omnio'
  /** What the patient pays under increased reimbursement, including VAT. */
  refundValueWithoutOmnio: 'refund_value_without_omnio'
  /** Manufacturer catalogue price without discount, excluding VAT. */
  manufacturerPrice: 'manufacturer_price'
  /**
   * Weight in grams.
   *
   * @deprecated use the *WithUnit object
   */
  weight: 'weight'
  /**
   * Width in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  width: 'width'
  /**
   * Length in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  length: 'length'
  /**
   * Depth in millimeters.
   *
   * @deprecated use the *WithUnit object
   */
  depth: 'depth'
  /** Weight. */
  weightWithUnit: 'weight_with_unit_value' | 'weight_with_unit_unit'
  /** Amount. */
  'weightWithUnit.value': 'weight_with_unit_value'
  /** Unit. */
  'weightWithUnit.unit': 'weight_with_unit_unit'
  /** Width. */
  widthWithUnit: 'width_with_unit_value' | 'width_with_unit_unit'
  /** Amount. */
  'widthWithUnit.value': 'width_with_unit_value'
  /** Unit. */
  'widthWithUnit.unit': 'width_with_unit_unit'
  /** Length. */
  lengthWithUnit: 'length_with_unit_value' | 'length_with_unit_unit'
  /** Amount. */
  'lengthWithUnit.value': 'length_with_unit_value'
  /** Unit. */
  'lengthWithUnit.unit': 'length_with_unit_unit'
  /** Depth. */
  depthWithUnit: 'depth_with_unit_value' | 'depth_with_unit_unit'
  /** Amount. */
  'depthWithUnit.value': 'depth_with_unit_value'
  /** Unit. */
  'depthWithUnit.unit': 'depth_with_unit_unit'
  /** Content of the package. */
  packageContent: 'package_content'
  /** Quantity in the package. */
  packageQuantity: 'package_quantity'
  /** Unit of the package. */
  packagingUnit: 'packaging_unit'
  /** Fields that do not apply to the product. */
  notApplicableField: 'not_applicable_field'
  /**
   * ATC code.
   *
   * @deprecated use atcCategory
   */
  atc: 'atc'
  /** ATC category codes. */
  atcCategory: 'atc_category'
  /** End of commercialization, if any. */
  endOfCommercializationData:
    | 'end_of_commercialization_data_from_date'
    | 'end_of_commercialization_data_expected_end_date'
    | 'end_of_commercialization_data_status'
    | 'end_of_commercialization_data_reason'
    | 'end_of_commercialization_data_impact'
  /** Start. */
  'endOfCommercializationData.fromDate': 'end_of_commercialization_data_from_date'
  /** Expected end. */
  'endOfCommercializationData.expectedEndDate': 'end_of_commercialization_data_expected_end_date'
  /** Status. */
  'endOfCommercializationData.status': 'end_of_commercialization_data_status'
  /** Reason. */
  'endOfCommercializationData.reason': 'end_of_commercialization_data_reason'
  /** Impact. */
  'endOfCommercializationData.impact': 'end_of_commercialization_data_impact'
  /** Whether it is deleted. */
  deleted: 'deleted'
  /** About the record. */
  meta: 'meta_created_at' | 'meta_updated_at' | 'meta_embed_url' | 'meta_public_page_url'
  /** Creation; may be null. */
  'meta.createdAt': 'meta_created_at'
  /** Last change, photos and links included. */
  'meta.updatedAt': 'meta_updated_at'
  /** Pre-signed address of the embeddable page, valid for a few hours. */
  'meta.embedUrl': 'meta_embed_url'
  /** Public page, valid for 6 months. */
  'meta.publicPageUrl': 'meta_public_page_url'
  interfaceVersion: 'interface_version'
  documentedPriceUnit: 'documented_price_unit'
}

/** Field paths of the rows of `product_galenic_shapes`, with the columns that they become. */
export type ProductGalenicShapesPaths<Locale extends string> = ProductGalenicShapesV4Paths<Locale>

/** Field paths of the rows of `product_public_categories`, with the columns that they become. */
export type ProductPublicCategoriesPaths<Locale extends string> = ProductPublicCategoriesV4Paths<Locale>

/** Field paths of the rows of `product_catalog_categories`, with the columns that they become. */
export type ProductCatalogCategoriesPaths<Locale extends string> = ProductCatalogCategoriesV4Paths<Locale>

/** Field paths of the rows of `product_apb_category`, with the columns that they become. */
export type ProductApbCategoryPaths<Locale extends string> = ProductApbCategoryV4Paths<Locale>

/** Field paths of the rows of `product_bcfi_category`, with the columns that they become. */
export type ProductBcfiCategoryPaths<Locale extends string> = ProductBcfiCategoryV4Paths<Locale>

/** Field paths of the rows of `product_supply_problems`, with the columns that they become. */
export type ProductSupplyProblemsPaths = ProductSupplyProblemsV4Paths

/** Field paths of the rows of `product_brands`, with the columns that they become. */
export type ProductBrandsPaths<Locale extends string> = ProductBrandsV4Paths<Locale>

/** Field paths of the rows of `product_product_family`, with the columns that they become. */
export type ProductProductFamilyPaths<Locale extends string> = ProductProductFamilyV4Paths<Locale>

/** Field paths of the rows of `product_organizations`, with the columns that they become. */
export type ProductOrganizationsPaths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `product_active_ingredients`, with the columns that they become. */
export type ProductActiveIngredientsPaths<Locale extends string> = ProductActiveIngredientsV4Paths<Locale>

/** Field paths of the rows of `product_attributes`, with the columns that they become. */
export type ProductAttributesPaths<Locale extends string> = ProductAttributesV4Paths<Locale>

/** Field paths of the rows of `product_dietary_restrictions`, with the columns that they become. */
export type ProductDietaryRestrictionsPaths<Locale extends string> = ProductDietaryRestrictionsV4Paths<Locale>

/** Field paths of the rows of `product_colors`, with the columns that they become. */
export type ProductColorsPaths<Locale extends string> = ProductColorsV4Paths<Locale>

/** Field paths of the rows of `product_allowed_species`, with the columns that they become. */
export type ProductAllowedSpeciesPaths<Locale extends string> = ProductAllowedSpeciesV4Paths<Locale>

/** Field paths of the rows of `product_photos`, with the columns that they become. */
export interface ProductPhotosPaths<Locale extends string> {
  /** Media id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of photo. */
  photoType: 'photo_type'
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats:
    | 'formats_thumbnail'
    | 'formats_thumbnail_webp'
    | 'formats_medium'
    | 'formats_medium_webp'
    | 'formats_large'
    | 'formats_large_webp'
    | 'formats_huge'
    | 'formats_huge_webp'
    | 'formats_medium_jpeg'
    | 'formats_large_jpg'
    | 'formats_unkeyed'
  /** Image address, thumbnail. */
  'formats.thumbnail': 'formats_thumbnail'
  /** Image address, thumbnailWebp. */
  'formats.thumbnailWebp': 'formats_thumbnail_webp'
  /** Image address, medium. */
  'formats.medium': 'formats_medium'
  /** Image address, mediumWebp. */
  'formats.mediumWebp': 'formats_medium_webp'
  /** Image address, large. */
  'formats.large': 'formats_large'
  /** Image address, largeWebp. */
  'formats.largeWebp': 'formats_large_webp'
  /** Image address, huge. */
  'formats.huge': 'formats_huge'
  /** Image address, hugeWebp. */
  'formats.hugeWebp': 'formats_huge_webp'
  /** Image address, mediumJpeg. */
  'formats.mediumJpeg': 'formats_medium_jpeg'
  /** Image address, largeJpg. */
  'formats.largeJpg': 'formats_large_jpg'
  /** Addresses that came as a plain list, without a size. */
  'formats.unkeyed': 'formats_unkeyed'
  /** Sides of the package that can be seen. */
  visibleSides: 'visible_sides'
  /** 1-based position within the product's photos. */
  displayOrder: 'display_order'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Kind of photo. */
  type: 'type'
}

/** Field paths of the rows of `product_photo_organizations`, with the columns that they become. */
export type ProductPhotoOrganizationsPaths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `product_frontals`, with the columns that they become. */
export interface ProductFrontalsPaths<Locale extends string> {
  /** Media id. */
  id: 'id'
  /** Languages it suits. */
  locales: 'locales'
  /** Whom it is meant for. */
  targetGroups: 'target_groups'
  /** Kind of photo. */
  photoType: 'photo_type'
  /** Image addresses by size: thumbnail 200×200, medium 450×450, large 900×900, huge 1500×1500 pixels. */
  formats:
    | 'formats_thumbnail'
    | 'formats_thumbnail_webp'
    | 'formats_medium'
    | 'formats_medium_webp'
    | 'formats_large'
    | 'formats_large_webp'
    | 'formats_huge'
    | 'formats_huge_webp'
    | 'formats_medium_jpeg'
    | 'formats_large_jpg'
    | 'formats_unkeyed'
  /** Image address, thumbnail. */
  'formats.thumbnail': 'formats_thumbnail'
  /** Image address, thumbnailWebp. */
  'formats.thumbnailWebp': 'formats_thumbnail_webp'
  /** Image address, medium. */
  'formats.medium': 'formats_medium'
  /** Image address, mediumWebp. */
  'formats.mediumWebp': 'formats_medium_webp'
  /** Image address, large. */
  'formats.large': 'formats_large'
  /** Image address, largeWebp. */
  'formats.largeWebp': 'formats_large_webp'
  /** Image address, huge. */
  'formats.huge': 'formats_huge'
  /** Image address, hugeWebp. */
  'formats.hugeWebp': 'formats_huge_webp'
  /** Image address, mediumJpeg. */
  'formats.mediumJpeg': 'formats_medium_jpeg'
  /** Image address, largeJpg. */
  'formats.largeJpg': 'formats_large_jpg'
  /** Addresses that came as a plain list, without a size. */
  'formats.unkeyed': 'formats_unkeyed'
  /** Sides of the package that can be seen. */
  visibleSides: 'visible_sides'
  /** 1-based position within the product's frontals. */
  displayOrder: 'display_order'
  /** When the record was made and last changed. */
  meta: 'meta_created_at' | 'meta_updated_at'
  /** Creation. */
  'meta.createdAt': 'meta_created_at'
  /** Last change. */
  'meta.updatedAt': 'meta_updated_at'
  /** Name. */
  name: `name_${Locale}`
  /** Name. */
  'name.nl': 'name_nl'
  /** Name. */
  'name.fr': 'name_fr'
  /** Name. */
  'name.en': 'name_en'
  /** Kind of photo. */
  type: 'type'
}

/** Field paths of the rows of `product_frontal_organizations`, with the columns that they become. */
export type ProductFrontalOrganizationsPaths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `product_links`, with the columns that they become. */
export type ProductLinksPaths<Locale extends string> = ProductLinksV4Paths<Locale>

/** Field paths of the rows of `product_link_organizations`, with the columns that they become. */
export type ProductLinkOrganizationsPaths<Locale extends string> = ProductOrganizationsV4Paths<Locale>

/** Field paths of the rows of `product_descriptions`, with the columns that they become. */
export type ProductDescriptionsPaths<Locale extends string> = ProductDescriptionsV3Paths<Locale>

/** Field paths of the rows of `product_leaflets`, with the columns that they become. */
export type ProductLeafletsPaths<Locale extends string> = ProductLeafletsV4Paths<Locale>

/** Field paths of the rows of `records`, with the columns that they become. */
export interface RawRecordsPaths {
  /** Id, where the record has one. Its other fields are not known: the column `record` has all of it as JSON. */
  id: 'id'
}

export interface ProductsV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: ProductsV4Row
  paths: ProductsV4Paths<Locale>
  keys: never
  localized: `name_${Locale}` | `seo_name_${Locale}` | `short_description_${Locale}` | `conservation_label_${Locale}`
  deprecated:
    | 'ecommerce'
    | 'expires'
    | 'trade_in_refund_value'
    | 'trade_in_months_before_expiry'
    | 'trade_in_months_after_expiry'
    | 'gtin'
    | 'weight'
    | 'width'
    | 'length'
    | 'depth'
    | 'atc'
  volatile: 'meta_embed_url' | 'meta_public_page_url'
  items: 'ean' | 'notApplicableField' | 'atcCategory'
  lists: {
    'galenicShapes[]': ProductGalenicShapesV4Table<Locale>
    'publicCategories[]': ProductPublicCategoriesV4Table<Locale>
    'catalogCategories[]': ProductCatalogCategoriesV4Table<Locale>
    'apbCategory[]': ProductApbCategoryV4Table<Locale>
    'bcfiCategory[]': ProductBcfiCategoryV4Table<Locale>
    'supplyProblems[]': ProductSupplyProblemsV4Table
    'brands[]': ProductBrandsV4Table<Locale>
    'productFamily[]': ProductProductFamilyV4Table<Locale>
    'organizations[]': ProductOrganizationsV4Table<Locale>
    'activeIngredients[]': ProductActiveIngredientsV4Table<Locale>
    'attributes[]': ProductAttributesV4Table<Locale>
    'dietaryRestrictions[]': ProductDietaryRestrictionsV4Table<Locale>
    'colors[]': ProductColorsV4Table<Locale>
    'allowedSpecies[]': ProductAllowedSpeciesV4Table<Locale>
    'photos[]': ProductPhotosV4Table<Locale>
    'frontals[]': ProductFrontalsV4Table<Locale>
    'links[]': ProductLinksV4Table<Locale>
    'descriptions[]': ProductDescriptionsV4Table<Locale>
    'leaflets[]': ProductLeafletsV4Table<Locale>
  }
}

export interface ProductGalenicShapesV4Table<Locale extends string> {
  each: 'galenicShapes[]'
  prefix: 'galenic_shapes'
  row: ProductGalenicShapesV4Row
  paths: ProductGalenicShapesV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductPublicCategoriesV4Table<Locale extends string> {
  each: 'publicCategories[]'
  prefix: 'public_categories'
  row: ProductPublicCategoriesV4Row
  paths: ProductPublicCategoriesV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductCatalogCategoriesV4Table<Locale extends string> {
  each: 'catalogCategories[]'
  prefix: 'catalog_categories'
  row: ProductCatalogCategoriesV4Row
  paths: ProductCatalogCategoriesV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}` | `description_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductApbCategoryV4Table<Locale extends string> {
  each: 'apbCategory[]'
  prefix: 'apb_category'
  row: ProductApbCategoryV4Row
  paths: ProductApbCategoryV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductBcfiCategoryV4Table<Locale extends string> {
  each: 'bcfiCategory[]'
  prefix: 'bcfi_category'
  row: ProductBcfiCategoryV4Row
  paths: ProductBcfiCategoryV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductSupplyProblemsV4Table {
  each: 'supplyProblems[]'
  prefix: 'supply_problems'
  row: ProductSupplyProblemsV4Row
  paths: ProductSupplyProblemsV4Paths
  keys: 'product_id' | 'position'
  localized: never
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductBrandsV4Table<Locale extends string> {
  each: 'brands[]'
  prefix: 'brands'
  row: ProductBrandsV4Row
  paths: ProductBrandsV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductProductFamilyV4Table<Locale extends string> {
  each: 'productFamily[]'
  prefix: 'product_family'
  row: ProductProductFamilyV4Row
  paths: ProductProductFamilyV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductOrganizationsV4Table<Locale extends string> {
  each: 'organizations[]'
  prefix: 'organizations'
  row: ProductOrganizationsV4Row
  paths: ProductOrganizationsV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductActiveIngredientsV4Table<Locale extends string> {
  each: 'activeIngredients[]'
  prefix: 'active_ingredients'
  row: ProductActiveIngredientsV4Row
  paths: ProductActiveIngredientsV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductAttributesV4Table<Locale extends string> {
  each: 'attributes[]'
  prefix: 'attributes'
  row: ProductAttributesV4Row
  paths: ProductAttributesV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductDietaryRestrictionsV4Table<Locale extends string> {
  each: 'dietaryRestrictions[]'
  prefix: 'dietary_restrictions'
  row: ProductDietaryRestrictionsV4Row
  paths: ProductDietaryRestrictionsV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductColorsV4Table<Locale extends string> {
  each: 'colors[]'
  prefix: 'colors'
  row: ProductColorsV4Row
  paths: ProductColorsV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductAllowedSpeciesV4Table<Locale extends string> {
  each: 'allowedSpecies[]'
  prefix: 'allowed_species'
  row: ProductAllowedSpeciesV4Row
  paths: ProductAllowedSpeciesV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductPhotosV4Table<Locale extends string> {
  each: 'photos[]'
  prefix: 'photos'
  row: ProductPhotosV4Row
  paths: ProductPhotosV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups' | 'formats.unkeyed' | 'visibleSides'
  lists: {
    'organizations[]': ProductPhotoOrganizationsV4Table<Locale>
  }
}

export interface ProductPhotoOrganizationsV4Table<Locale extends string> {
  each: 'photos[].organizations[]'
  prefix: 'organizations'
  row: ProductPhotoOrganizationsV4Row
  paths: ProductPhotoOrganizationsV4Paths<Locale>
  keys: 'product_id' | 'photo_position' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductFrontalsV4Table<Locale extends string> {
  each: 'frontals[]'
  prefix: 'frontals'
  row: ProductFrontalsV4Row
  paths: ProductFrontalsV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups' | 'formats.unkeyed' | 'visibleSides'
  lists: {
    'organizations[]': ProductFrontalOrganizationsV4Table<Locale>
  }
}

export interface ProductFrontalOrganizationsV4Table<Locale extends string> {
  each: 'frontals[].organizations[]'
  prefix: 'organizations'
  row: ProductFrontalOrganizationsV4Row
  paths: ProductFrontalOrganizationsV4Paths<Locale>
  keys: 'product_id' | 'frontal_position' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductLinksV4Table<Locale extends string> {
  each: 'links[]'
  prefix: 'links'
  row: ProductLinksV4Row
  paths: ProductLinksV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}` | `description_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups'
  lists: {
    'organizations[]': ProductLinkOrganizationsV4Table<Locale>
  }
}

export interface ProductLinkOrganizationsV4Table<Locale extends string> {
  each: 'links[].organizations[]'
  prefix: 'organizations'
  row: ProductLinkOrganizationsV4Row
  paths: ProductLinkOrganizationsV4Paths<Locale>
  keys: 'product_id' | 'link_position' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductDescriptionsV4Table<Locale extends string> {
  each: 'descriptions[]'
  prefix: 'descriptions'
  row: ProductDescriptionsV4Row
  paths: ProductDescriptionsV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `content_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups'
  lists: {}
}

export interface ProductLeafletsV4Table<Locale extends string> {
  each: 'leaflets[]'
  prefix: 'leaflets'
  row: ProductLeafletsV4Row
  paths: ProductLeafletsV4Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `url_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales'
  lists: {}
}

export interface MediaV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: MediaV4Row
  paths: MediaV4Paths<Locale>
  keys: never
  localized: `name_${Locale}` | `description_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups' | 'formats.unkeyed' | 'visibleSides' | 'products'
  lists: {
    'organizations[]': MediaOrganizationsV4Table<Locale>
  }
}

export interface MediaOrganizationsV4Table<Locale extends string> {
  each: 'organizations[]'
  prefix: 'organizations'
  row: MediaOrganizationsV4Row
  paths: MediaOrganizationsV4Paths<Locale>
  keys: 'media_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface PhotosV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: PhotosV4Row
  paths: PhotosV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups' | 'formats.unkeyed' | 'visibleSides'
  lists: {
    'organizations[]': PhotoOrganizationsV4Table<Locale>
  }
}

export interface PhotoOrganizationsV4Table<Locale extends string> {
  each: 'organizations[]'
  prefix: 'organizations'
  row: PhotoOrganizationsV4Row
  paths: PhotoOrganizationsV4Paths<Locale>
  keys: 'photo_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface FrontalsV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: FrontalsV4Row
  paths: FrontalsV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups' | 'formats.unkeyed' | 'visibleSides'
  lists: {
    'organizations[]': FrontalOrganizationsV4Table<Locale>
  }
}

export interface FrontalOrganizationsV4Table<Locale extends string> {
  each: 'organizations[]'
  prefix: 'organizations'
  row: FrontalOrganizationsV4Row
  paths: FrontalOrganizationsV4Paths<Locale>
  keys: 'frontal_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface MediaLinksV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: MediaLinksV4Row
  paths: MediaLinksV4Paths<Locale>
  keys: never
  localized: `name_${Locale}` | `description_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups'
  lists: {
    'organizations[]': MediaLinkOrganizationsV4Table<Locale>
  }
}

export interface MediaLinkOrganizationsV4Table<Locale extends string> {
  each: 'organizations[]'
  prefix: 'organizations'
  row: MediaLinkOrganizationsV4Row
  paths: MediaLinkOrganizationsV4Paths<Locale>
  keys: 'media_link_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface DescriptionsV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: DescriptionsV4Row
  paths: DescriptionsV4Paths<Locale>
  keys: never
  localized: `content_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups'
  lists: {}
}

export interface LeafletsV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: LeafletsV4Row
  paths: LeafletsV4Paths<Locale>
  keys: never
  localized: `url_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales'
  lists: {}
}

export interface NewsItemsV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: NewsItemsV4Row
  paths: NewsItemsV4Paths<Locale>
  keys: never
  localized: `title_${Locale}`
  deprecated: never
  volatile: never
  items: 'products' | 'brands' | 'categories'
  lists: {
    'content[]': NewsItemContentV4Table<Locale>
  }
}

export interface NewsItemContentV4Table<Locale extends string> {
  each: 'content[]'
  prefix: 'content'
  row: NewsItemContentV4Row
  paths: NewsItemContentV4Paths<Locale>
  keys: 'news_item_id' | 'position'
  localized: `text_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales'
  lists: {}
}

export interface CorrectionsV4Table {
  each: ''
  prefix: ''
  row: CorrectionsV4Row
  paths: CorrectionsV4Paths
  keys: never
  localized: never
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ActiveIngredientsV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: ActiveIngredientsV4Row
  paths: ActiveIngredientsV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface OrganizationsV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: OrganizationsV4Row
  paths: OrganizationsV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface BrandsV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: BrandsV4Row
  paths: BrandsV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductFamiliesV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: ProductFamiliesV4Row
  paths: ProductFamiliesV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface PublicCategoriesV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: PublicCategoriesV4Row
  paths: PublicCategoriesV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface CatalogCategoriesV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: CatalogCategoriesV4Row
  paths: CatalogCategoriesV4Paths<Locale>
  keys: never
  localized: `name_${Locale}` | `description_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ApbCategoriesV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: ApbCategoriesV4Row
  paths: ApbCategoriesV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface BcfiCategoriesV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: BcfiCategoriesV4Row
  paths: BcfiCategoriesV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface GalenicShapesV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: GalenicShapesV4Row
  paths: GalenicShapesV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface DietaryRestrictionsV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: DietaryRestrictionsV4Row
  paths: DietaryRestrictionsV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ColorsV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: ColorsV4Row
  paths: ColorsV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface SpeciesV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: SpeciesV4Row
  paths: SpeciesV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface AttributesV4Table<Locale extends string> {
  each: ''
  prefix: ''
  row: AttributesV4Row
  paths: AttributesV4Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductsV3Table<Locale extends string> {
  each: ''
  prefix: ''
  row: ProductsV3Row
  paths: ProductsV3Paths<Locale>
  keys: never
  localized: `name_${Locale}` | `seo_name_${Locale}` | `short_description_${Locale}`
  deprecated: 'ecommerce' | 'atc'
  volatile: 'meta_embed_url'
  items: 'ean' | 'atcCategory'
  lists: {
    'publicCategories[]': ProductPublicCategoriesV3Table<Locale>
    'apbCategory[]': ProductApbCategoryV3Table<Locale>
    'bcfiCategory[]': ProductBcfiCategoryV3Table<Locale>
    'brands[]': ProductBrandsV3Table<Locale>
    'productFamily[]': ProductProductFamilyV3Table<Locale>
    'organizations[]': ProductOrganizationsV3Table<Locale>
    'activeIngredients[]': ProductActiveIngredientsV3Table<Locale>
    'attributes[]': ProductAttributesV3Table<Locale>
    'photos[]': ProductPhotosV3Table
    'frontals[]': ProductFrontalsV3Table
    'links[]': ProductLinksV3Table<Locale>
    'descriptions[]': ProductDescriptionsV3Table<Locale>
    'leaflets[]': ProductLeafletsV3Table<Locale>
  }
}

export interface ProductPublicCategoriesV3Table<Locale extends string> {
  each: 'publicCategories[]'
  prefix: 'public_categories'
  row: ProductPublicCategoriesV3Row
  paths: ProductPublicCategoriesV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductApbCategoryV3Table<Locale extends string> {
  each: 'apbCategory[]'
  prefix: 'apb_category'
  row: ProductApbCategoryV3Row
  paths: ProductApbCategoryV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductBcfiCategoryV3Table<Locale extends string> {
  each: 'bcfiCategory[]'
  prefix: 'bcfi_category'
  row: ProductBcfiCategoryV3Row
  paths: ProductBcfiCategoryV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductBrandsV3Table<Locale extends string> {
  each: 'brands[]'
  prefix: 'brands'
  row: ProductBrandsV3Row
  paths: ProductBrandsV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductProductFamilyV3Table<Locale extends string> {
  each: 'productFamily[]'
  prefix: 'product_family'
  row: ProductProductFamilyV3Row
  paths: ProductProductFamilyV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductOrganizationsV3Table<Locale extends string> {
  each: 'organizations[]'
  prefix: 'organizations'
  row: ProductOrganizationsV3Row
  paths: ProductOrganizationsV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductActiveIngredientsV3Table<Locale extends string> {
  each: 'activeIngredients[]'
  prefix: 'active_ingredients'
  row: ProductActiveIngredientsV3Row
  paths: ProductActiveIngredientsV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductAttributesV3Table<Locale extends string> {
  each: 'attributes[]'
  prefix: 'attributes'
  row: ProductAttributesV3Row
  paths: ProductAttributesV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductPhotosV3Table {
  each: 'photos[]'
  prefix: 'photos'
  row: ProductPhotosV3Row
  paths: ProductPhotosV3Paths
  keys: 'product_id' | 'position'
  localized: never
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups' | 'formats.unkeyed' | 'visibleSides'
  lists: {}
}

export interface ProductFrontalsV3Table {
  each: 'frontals[]'
  prefix: 'frontals'
  row: ProductFrontalsV3Row
  paths: ProductFrontalsV3Paths
  keys: 'product_id' | 'position'
  localized: never
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups' | 'formats.unkeyed' | 'visibleSides'
  lists: {}
}

export interface ProductLinksV3Table<Locale extends string> {
  each: 'links[]'
  prefix: 'links'
  row: ProductLinksV3Row
  paths: ProductLinksV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}` | `description_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups'
  lists: {}
}

export interface ProductDescriptionsV3Table<Locale extends string> {
  each: 'descriptions[]'
  prefix: 'descriptions'
  row: ProductDescriptionsV3Row
  paths: ProductDescriptionsV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `content_${Locale}_html` | `content_${Locale}_markdown`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups'
  lists: {}
}

export interface ProductLeafletsV3Table<Locale extends string> {
  each: 'leaflets[]'
  prefix: 'leaflets'
  row: ProductLeafletsV3Row
  paths: ProductLeafletsV3Paths<Locale>
  keys: 'product_id' | 'position'
  localized: `url_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales'
  lists: {}
}

export interface NewsItemsV3Table<Locale extends string> {
  each: ''
  prefix: ''
  row: NewsItemsV3Row
  paths: NewsItemsV3Paths<Locale>
  keys: never
  localized: `title_${Locale}`
  deprecated: never
  volatile: never
  items: 'products' | 'brands' | 'categories'
  lists: {
    'content[]': NewsItemContentV3Table<Locale>
  }
}

export interface NewsItemContentV3Table<Locale extends string> {
  each: 'content[]'
  prefix: 'content'
  row: NewsItemContentV3Row
  paths: NewsItemContentV3Paths<Locale>
  keys: 'news_item_id' | 'position'
  localized: `text_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales'
  lists: {}
}

export interface CorrectionsV3Table {
  each: ''
  prefix: ''
  row: CorrectionsV3Row
  paths: CorrectionsV3Paths
  keys: never
  localized: never
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ActiveIngredientsV3Table<Locale extends string> {
  each: ''
  prefix: ''
  row: ActiveIngredientsV3Row
  paths: ActiveIngredientsV3Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface OrganizationsV3Table<Locale extends string> {
  each: ''
  prefix: ''
  row: OrganizationsV3Row
  paths: OrganizationsV3Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface BrandsV3Table<Locale extends string> {
  each: ''
  prefix: ''
  row: BrandsV3Row
  paths: BrandsV3Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface PublicCategoriesV3Table<Locale extends string> {
  each: ''
  prefix: ''
  row: PublicCategoriesV3Row
  paths: PublicCategoriesV3Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ApbCategoriesV3Table<Locale extends string> {
  each: ''
  prefix: ''
  row: ApbCategoriesV3Row
  paths: ApbCategoriesV3Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface BcfiCategoriesV3Table<Locale extends string> {
  each: ''
  prefix: ''
  row: BcfiCategoriesV3Row
  paths: BcfiCategoriesV3Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface AttributesV3Table<Locale extends string> {
  each: ''
  prefix: ''
  row: AttributesV3Row
  paths: AttributesV3Paths<Locale>
  keys: never
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductsTable<Locale extends string> {
  each: ''
  prefix: ''
  row: ProductsRow
  paths: ProductsPaths<Locale>
  keys: never
  localized: `name_${Locale}` | `seo_name_${Locale}` | `short_description_${Locale}` | `conservation_label_${Locale}`
  deprecated:
    | 'ecommerce'
    | 'expires'
    | 'trade_in_refund_value'
    | 'trade_in_months_before_expiry'
    | 'trade_in_months_after_expiry'
    | 'gtin'
    | 'weight'
    | 'width'
    | 'length'
    | 'depth'
    | 'atc'
  volatile: 'meta_embed_url' | 'meta_public_page_url'
  items: 'ean' | 'notApplicableField' | 'atcCategory'
  lists: {
    'galenicShapes[]': ProductGalenicShapesTable<Locale>
    'publicCategories[]': ProductPublicCategoriesTable<Locale>
    'catalogCategories[]': ProductCatalogCategoriesTable<Locale>
    'apbCategory[]': ProductApbCategoryTable<Locale>
    'bcfiCategory[]': ProductBcfiCategoryTable<Locale>
    'supplyProblems[]': ProductSupplyProblemsTable
    'brands[]': ProductBrandsTable<Locale>
    'productFamily[]': ProductProductFamilyTable<Locale>
    'organizations[]': ProductOrganizationsTable<Locale>
    'activeIngredients[]': ProductActiveIngredientsTable<Locale>
    'attributes[]': ProductAttributesTable<Locale>
    'dietaryRestrictions[]': ProductDietaryRestrictionsTable<Locale>
    'colors[]': ProductColorsTable<Locale>
    'allowedSpecies[]': ProductAllowedSpeciesTable<Locale>
    'photos[]': ProductPhotosTable<Locale>
    'frontals[]': ProductFrontalsTable<Locale>
    'links[]': ProductLinksTable<Locale>
    'descriptions[]': ProductDescriptionsTable<Locale>
    'leaflets[]': ProductLeafletsTable<Locale>
  }
}

export interface ProductGalenicShapesTable<Locale extends string> {
  each: 'galenicShapes[]'
  prefix: 'galenic_shapes'
  row: ProductGalenicShapesRow
  paths: ProductGalenicShapesPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductPublicCategoriesTable<Locale extends string> {
  each: 'publicCategories[]'
  prefix: 'public_categories'
  row: ProductPublicCategoriesRow
  paths: ProductPublicCategoriesPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductCatalogCategoriesTable<Locale extends string> {
  each: 'catalogCategories[]'
  prefix: 'catalog_categories'
  row: ProductCatalogCategoriesRow
  paths: ProductCatalogCategoriesPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}` | `description_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductApbCategoryTable<Locale extends string> {
  each: 'apbCategory[]'
  prefix: 'apb_category'
  row: ProductApbCategoryRow
  paths: ProductApbCategoryPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductBcfiCategoryTable<Locale extends string> {
  each: 'bcfiCategory[]'
  prefix: 'bcfi_category'
  row: ProductBcfiCategoryRow
  paths: ProductBcfiCategoryPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductSupplyProblemsTable {
  each: 'supplyProblems[]'
  prefix: 'supply_problems'
  row: ProductSupplyProblemsRow
  paths: ProductSupplyProblemsPaths
  keys: 'product_id' | 'position'
  localized: never
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductBrandsTable<Locale extends string> {
  each: 'brands[]'
  prefix: 'brands'
  row: ProductBrandsRow
  paths: ProductBrandsPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductProductFamilyTable<Locale extends string> {
  each: 'productFamily[]'
  prefix: 'product_family'
  row: ProductProductFamilyRow
  paths: ProductProductFamilyPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductOrganizationsTable<Locale extends string> {
  each: 'organizations[]'
  prefix: 'organizations'
  row: ProductOrganizationsRow
  paths: ProductOrganizationsPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductActiveIngredientsTable<Locale extends string> {
  each: 'activeIngredients[]'
  prefix: 'active_ingredients'
  row: ProductActiveIngredientsRow
  paths: ProductActiveIngredientsPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductAttributesTable<Locale extends string> {
  each: 'attributes[]'
  prefix: 'attributes'
  row: ProductAttributesRow
  paths: ProductAttributesPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductDietaryRestrictionsTable<Locale extends string> {
  each: 'dietaryRestrictions[]'
  prefix: 'dietary_restrictions'
  row: ProductDietaryRestrictionsRow
  paths: ProductDietaryRestrictionsPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductColorsTable<Locale extends string> {
  each: 'colors[]'
  prefix: 'colors'
  row: ProductColorsRow
  paths: ProductColorsPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductAllowedSpeciesTable<Locale extends string> {
  each: 'allowedSpecies[]'
  prefix: 'allowed_species'
  row: ProductAllowedSpeciesRow
  paths: ProductAllowedSpeciesPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductPhotosTable<Locale extends string> {
  each: 'photos[]'
  prefix: 'photos'
  row: ProductPhotosRow
  paths: ProductPhotosPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups' | 'formats.unkeyed' | 'visibleSides'
  lists: {
    'organizations[]': ProductPhotoOrganizationsTable<Locale>
  }
}

export interface ProductPhotoOrganizationsTable<Locale extends string> {
  each: 'photos[].organizations[]'
  prefix: 'organizations'
  row: ProductPhotoOrganizationsRow
  paths: ProductPhotoOrganizationsPaths<Locale>
  keys: 'product_id' | 'photo_position' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductFrontalsTable<Locale extends string> {
  each: 'frontals[]'
  prefix: 'frontals'
  row: ProductFrontalsRow
  paths: ProductFrontalsPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups' | 'formats.unkeyed' | 'visibleSides'
  lists: {
    'organizations[]': ProductFrontalOrganizationsTable<Locale>
  }
}

export interface ProductFrontalOrganizationsTable<Locale extends string> {
  each: 'frontals[].organizations[]'
  prefix: 'organizations'
  row: ProductFrontalOrganizationsRow
  paths: ProductFrontalOrganizationsPaths<Locale>
  keys: 'product_id' | 'frontal_position' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductLinksTable<Locale extends string> {
  each: 'links[]'
  prefix: 'links'
  row: ProductLinksRow
  paths: ProductLinksPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `name_${Locale}` | `description_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups'
  lists: {
    'organizations[]': ProductLinkOrganizationsTable<Locale>
  }
}

export interface ProductLinkOrganizationsTable<Locale extends string> {
  each: 'links[].organizations[]'
  prefix: 'organizations'
  row: ProductLinkOrganizationsRow
  paths: ProductLinkOrganizationsPaths<Locale>
  keys: 'product_id' | 'link_position' | 'position'
  localized: `name_${Locale}`
  deprecated: never
  volatile: never
  items: never
  lists: {}
}

export interface ProductDescriptionsTable<Locale extends string> {
  each: 'descriptions[]'
  prefix: 'descriptions'
  row: ProductDescriptionsRow
  paths: ProductDescriptionsPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `content_${Locale}_html` | `content_${Locale}_markdown`
  deprecated: never
  volatile: never
  items: 'locales' | 'targetGroups'
  lists: {}
}

export interface ProductLeafletsTable<Locale extends string> {
  each: 'leaflets[]'
  prefix: 'leaflets'
  row: ProductLeafletsRow
  paths: ProductLeafletsPaths<Locale>
  keys: 'product_id' | 'position'
  localized: `url_${Locale}`
  deprecated: never
  volatile: never
  items: 'locales'
  lists: {}
}

export interface RawRecordsTable {
  each: ''
  prefix: ''
  row: RawRecordsRow
  paths: RawRecordsPaths
  keys: never
  localized: never
  deprecated: never
  volatile: never
  items: never
  lists: {}
}
