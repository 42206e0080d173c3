/* Made from the endpoints by `npm run docs`. */
// oxlint-disable max-lines

/** What the service has, and the keys of its requests, by the name of the endpoint. */
export interface Endpoints {
  'v4/products/query': {
    contract: 'v4/product'
    filters: V4ProductsQueryFilters
    sortings: V4ProductsQuerySortings
    combinators: true
    openKeys: 'markets'
    openSortings: true
  }
  'v4/products/stream': {
    contract: 'v4/product'
    filters: V4ProductsQueryFilters
    sortings: V4ProductsQuerySortings
    combinators: true
    openKeys: 'markets'
    openSortings: true
  }
  'v4/products/find': {
    contract: 'v4/product'
    filters: V4ProductsFindFilters
    sortings: NoKeys
    combinators: false
    openKeys: true
    openSortings: false
  }
  'v4/products/get-fields': {
    contract: 'raw'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v4/product/attributes/query': {
    contract: 'raw'
    filters: V4ProductAttributesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/product/attributes/find': {
    contract: 'raw'
    filters: V4ProductAttributesFindFilters
    sortings: NoKeys
    combinators: false
    openKeys: true
    openSortings: false
  }
  'v4/product/attribute/options/query': {
    contract: 'v4/attribute'
    filters: V4ProductAttributesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/product/attribute/options/find': {
    contract: 'v4/attribute'
    filters: V4ProductAttributeOptionsFindFilters
    sortings: NoKeys
    combinators: false
    openKeys: true
    openSortings: false
  }
  'v4/media/query': {
    contract: 'v4/media'
    filters: V4MediaQueryFilters
    sortings: V4MediaQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/media/stream': {
    contract: 'v4/media'
    filters: V4MediaQueryFilters
    sortings: V4MediaQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/media/find': {
    contract: 'v4/media'
    filters: V4MediaFindFilters
    sortings: NoKeys
    combinators: false
    openKeys: true
    openSortings: false
  }
  'v4/media/get-fields': {
    contract: 'raw'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v4/updates/query': {
    contract: 'v4/news-item'
    filters: V4UpdatesQueryFilters
    sortings: V4UpdatesQuerySortings
    combinators: true
    openKeys: false
    openSortings: true
  }
  'v4/corrections/query': {
    contract: 'v4/correction'
    filters: V4CorrectionsQueryFilters
    sortings: V4CorrectionsQuerySortings
    combinators: true
    openKeys: false
    openSortings: true
  }
  'v4/corrections/find': {
    contract: 'v4/correction'
    filters: V4CorrectionsFindFilters
    sortings: NoKeys
    combinators: false
    openKeys: true
    openSortings: false
  }
  'v4/corrections/types': {
    contract: 'raw'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v4/active-ingredients/query': {
    contract: 'v4/active-ingredient'
    filters: V4ActiveIngredientsQueryFilters
    sortings: NoKeys
    combinators: true
    openKeys: false
    openSortings: false
  }
  'v4/organizations/query': {
    contract: 'v4/organization'
    filters: V4ProductAttributesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/organizations/find': {
    contract: 'v4/organization'
    filters: V4OrganizationsFindFilters
    sortings: NoKeys
    combinators: false
    openKeys: true
    openSortings: false
  }
  'v4/brands/query': {
    contract: 'v4/brand'
    filters: V4ProductAttributesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/brands/find': {
    contract: 'v4/brand'
    filters: V4BrandsFindFilters
    sortings: NoKeys
    combinators: false
    openKeys: true
    openSortings: false
  }
  'v4/product-families/query': {
    contract: 'v4/product-family'
    filters: V4ProductAttributesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/public-categories/query': {
    contract: 'v4/public-category'
    filters: V4ProductAttributesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/catalog-categories/query': {
    contract: 'v4/catalog-category'
    filters: V4CatalogCategoriesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/bcfi-categories/query': {
    contract: 'v4/bcfi-category'
    filters: V4CatalogCategoriesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/dietary-restrictions/query': {
    contract: 'v4/dietary-restriction'
    filters: V4CatalogCategoriesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/colors/query': {
    contract: 'v4/color'
    filters: V4CatalogCategoriesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/users/query': {
    contract: 'raw'
    filters: V4ProductAttributesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v4/subscription-types/query': {
    contract: 'raw'
    filters: V4ProductAttributesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
  'v3/products/search': {
    contract: 'v3/product'
    filters: V3ProductsSearchFilters
    sortings: V3ProductsSearchSortings
    combinators: true
    openKeys: 'markets'
    openSortings: true
  }
  'v3/products/export': {
    contract: 'v3/product'
    filters: V3ProductsSearchFilters
    sortings: V3ProductsSearchSortings
    combinators: true
    openKeys: 'markets'
    openSortings: true
  }
  'v3/products/get': {
    contract: 'v3/product'
    filters: V3ProductsGetFilters
    sortings: NoKeys
    combinators: false
    openKeys: true
    openSortings: false
  }
  'v3/products/minimum-content': {
    contract: 'raw'
    filters: object
    sortings: NoKeys
    combinators: false
    openKeys: true
    openSortings: false
  }
  'v3/apb-categories/all': {
    contract: 'v3/apb-category'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v3/bcfi-categories/all': {
    contract: 'v3/bcfi-category'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v3/brands/all': {
    contract: 'v3/brand'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v3/organizations/all': {
    contract: 'v3/organization'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v3/public-categories/all': {
    contract: 'v3/public-category'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v3/attributes/all': {
    contract: 'v3/attribute'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v3/active-ingredients/all': {
    contract: 'v3/active-ingredient'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v3/corrections/get': {
    contract: 'v3/correction'
    filters: V4CorrectionsFindFilters
    sortings: NoKeys
    combinators: false
    openKeys: true
    openSortings: false
  }
  'v3/corrections/types/all': {
    contract: 'raw'
    filters: NoKeys
    sortings: NoKeys
    combinators: false
    openKeys: false
    openSortings: false
  }
  'v3/news-items/search': {
    contract: 'v3/news-item'
    filters: V4UpdatesQueryFilters
    sortings: V4ProductAttributesQuerySortings
    combinators: true
    openKeys: true
    openSortings: true
  }
}

/** Text with an environment variable, which a config may have anywhere. */
export type Variable = `${string}\${${string}}${string}`

type NoKeys = Readonly<Record<string, never>>

/** Filter keys of `v4/products/query`. */
export interface V4ProductsQueryFilters {
  /** A product id (letters and digits, a letter first), or a list of them. */
  readonly id?: string | readonly string[]
  /** One of "active", "replaced", "inactive", or a list of them. */
  readonly status?: 'active' | 'replaced' | 'inactive' | readonly ('active' | 'replaced' | 'inactive')[] | Variable
  /**
   * One of "yes", "no", "unknown", or a list of them.
   *
   * @deprecated
   */
  readonly ecommerce?: 'yes' | 'no' | 'unknown' | readonly ('yes' | 'no' | 'unknown')[] | Variable
  /** An organization id (a whole number), or a list of them. */
  readonly organization?: string | number | readonly (string | number)[]
  /** A public category id (a whole number), or a list of them. */
  readonly publicCategory?: string | number | readonly (string | number)[]
  /** A category id as text (in quotes, so that leading zeros stay), or a list of them. */
  readonly catalogCategories?: string | readonly string[]
  /** A brand id (a whole number), or a list of them. */
  readonly brand?: string | number | readonly (string | number)[]
  /** A product family id (a whole number), or a list of them. */
  readonly productFamily?: string | number | readonly (string | number)[]
  /** { query, locale, type? }. */
  readonly search?:
    | {
        readonly query: string
        readonly locale: string
        readonly type?: string | undefined
      }
    | Variable
  /** True or false. */
  readonly minimumContent?: boolean | Variable
  /** { flag, locale }. */
  readonly hasContent?:
    | {
        readonly flag: string
        readonly locale: string
      }
    | Variable
  /** An EAN code (at most 14 digits), or a list of them. */
  readonly ean?: string | number | readonly (string | number)[]
  /**
   * A GTIN code (at most 14 digits), or a list of them.
   *
   * @deprecated use eanGtin14
   */
  readonly gtin?: string | number | readonly (string | number)[]
  /** An EAN-8 code (8 digits, fewer are padded with zeros on the left), or a list of them. */
  readonly eanGtin8?: string | number | readonly (string | number)[]
  /** An EAN code of 12 digits (12 digits, fewer are padded with zeros on the left), or a list of them. */
  readonly eanGtin12?: string | number | readonly (string | number)[]
  /** An EAN-13 code (13 digits, fewer are padded with zeros on the left), or a list of them. */
  readonly eanGtin13?: string | number | readonly (string | number)[]
  /** An EAN-14 code (14 digits, fewer are padded with zeros on the left), or a list of them. */
  readonly eanGtin14?: string | number | readonly (string | number)[]
  /** A Harmonised System code (text or a whole number), or a list of them. */
  readonly hsCode?: string | number | readonly (string | number)[]
  /** A CNK code (7 digits, fewer are padded with zeros on the left), or a list of them. */
  readonly cnk?: string | number | readonly (string | number)[]
  /** A CTI code as text (in quotes, so that leading zeros stay). */
  readonly cti?: string
  /** A galenic shape code as text (in quotes, so that leading zeros stay), or a list of them. */
  readonly galenicShape?: string | readonly string[]
  /** A grouping-by-name code as text (in quotes, so that leading zeros stay). */
  readonly nameCti?: string
  /** An active ingredient id (a whole number), or a list of them. */
  readonly activeIngredient?: string | number | readonly (string | number)[]
  /** One of "room", "refrigerator", "fresh", "frozen", or a list of them. */
  readonly conservation?:
    'room' | 'refrigerator' | 'fresh' | 'frozen' | readonly ('room' | 'refrigerator' | 'fresh' | 'frozen')[] | Variable
  /** True or false. */
  readonly prescription?: boolean | Variable
  /** True or false. */
  readonly writtenRequestByPatient?: boolean | Variable
  /** A date-time, or { from, until } with one or both. */
  readonly supplyProblemDuration?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** { value, operator? } with operator one of "eq", "gt", "gte", "lt", "lte", "neq". */
  readonly popularity?:
    | {
        readonly value: number | string
        readonly operator?: 'eq' | 'gt' | 'gte' | 'lt' | 'lte' | 'neq' | undefined
      }
    | Variable
  /** One of "human", "veterinary", "surface_maintenance", "phytopharmacy", or a list of them. */
  readonly allowedSpecies?:
    | 'human'
    | 'veterinary'
    | 'surface_maintenance'
    | 'phytopharmacy'
    | readonly ('human' | 'veterinary' | 'surface_maintenance' | 'phytopharmacy')[]
    | Variable
  /** An ATC category code as text (in quotes, so that leading zeros stay), or a list of them. */
  readonly atcCategory?: string | readonly string[]
  /** One of "specialty", "homeopathy", "ostomy_incontinence", "bandages_related", "reactive", "hygiene", "cosmetics", "diet_nutrition", "other", "biocide", "medical_device", "accessory", "pesticides_agricultural", "diagnostic_tool", "unknown", "material", or a list of them. */
  readonly apbCategory?:
    | 'specialty'
    | 'homeopathy'
    | 'ostomy_incontinence'
    | 'bandages_related'
    | 'reactive'
    | 'hygiene'
    | 'cosmetics'
    | 'diet_nutrition'
    | 'other'
    | 'biocide'
    | 'medical_device'
    | 'accessory'
    | 'pesticides_agricultural'
    | 'diagnostic_tool'
    | 'unknown'
    | 'material'
    | readonly (
        | 'specialty'
        | 'homeopathy'
        | 'ostomy_incontinence'
        | 'bandages_related'
        | 'reactive'
        | 'hygiene'
        | 'cosmetics'
        | 'diet_nutrition'
        | 'other'
        | 'biocide'
        | 'medical_device'
        | 'accessory'
        | 'pesticides_agricultural'
        | 'diagnostic_tool'
        | 'unknown'
        | 'material'
      )[]
    | Variable
  /** A BCFI category id as text (in quotes, so that leading zeros stay), or a list of them. */
  readonly bcfiCategory?: string | readonly string[]
  /** One of "yes", "no", "unknown", "assimilated". */
  readonly narcotic?: 'yes' | 'no' | 'unknown' | 'assimilated' | Variable
  /** One of "yes", "no", "unknown". */
  readonly biocide?: 'yes' | 'no' | 'unknown' | Variable
  /**
   * An attribute option id (a whole number), or a list of them.
   *
   * @deprecated use colors, dietaryRestrictions or galenicShape
   */
  readonly attributes?: string | number | readonly (string | number)[]
  /** A dietary restriction code as text (in quotes, so that leading zeros stay), or a list of them. */
  readonly dietaryRestrictions?: string | readonly string[]
  /** A color code as text (in quotes, so that leading zeros stay), or a list of them. */
  readonly colors?: string | readonly string[]
  /** A field name, or a list of them. */
  readonly notApplicableField?: string | readonly string[]
  /** A date-time, or { from, until } with one or both. */
  readonly officialDeletionAt?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** A date-time, or { from, until } with one or both. */
  readonly createdAt?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** A date-time, or { from, until } with one or both. */
  readonly updatedSince?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
}

/** Keys that `v4/products/query` sorts by. */
export interface V4ProductsQuerySortings {
  readonly id?: 'ASC' | 'DESC' | Variable
  readonly cnk?: 'ASC' | 'DESC' | Variable
  readonly createdAt?: 'ASC' | 'DESC' | Variable
  readonly touchedAt?: 'ASC' | 'DESC' | Variable
  readonly statusTouchedAt?: 'ASC' | 'DESC' | Variable
  readonly status?: 'ASC' | 'DESC' | Variable
  readonly name?:
    | {
        readonly direction: 'ASC' | 'DESC'
        readonly locale: string
      }
    | Variable
}

/** Filter keys of `v4/products/find`. */
export interface V4ProductsFindFilters {
  /** A product id (letters and digits, a letter first). */
  readonly id?: string
}

/** Filter keys of `v4/product/attributes/query`. */
export interface V4ProductAttributesQueryFilters {
  /** An id (a whole number), or a list of them. */
  readonly id?: string | number | readonly (string | number)[]
  /** { query, locale }, or text. */
  readonly search?:
    | {
        readonly query: string
        readonly locale: string
      }
    | string
}

/** Keys that `v4/product/attributes/query` sorts by. */
export interface V4ProductAttributesQuerySortings {
  readonly id?: 'ASC' | 'DESC' | Variable
}

/** Filter keys of `v4/product/attributes/find`. */
export interface V4ProductAttributesFindFilters {
  /** An attribute id (a whole number). */
  readonly id?: string | number
}

/** Filter keys of `v4/product/attribute/options/find`. */
export interface V4ProductAttributeOptionsFindFilters {
  /** An attribute option id (a whole number). */
  readonly id?: string | number
}

/** Filter keys of `v4/media/query`. */
export interface V4MediaQueryFilters {
  /** A media id (a whole number), or a list of them. */
  readonly id?: string | number | readonly (string | number)[]
  /** True or false. */
  readonly published?: boolean | Variable
  /** An organization id (a whole number), or a list of them. */
  readonly organization?: string | number | readonly (string | number)[]
  /** A target group such as "public" or "pharmacist", or a list of them. */
  readonly targetGroup?: string | readonly string[]
  /** One of "photo", "frontal", "link", or a list of them. */
  readonly type?: 'photo' | 'frontal' | 'link' | readonly ('photo' | 'frontal' | 'link')[] | Variable
  /** One of "packshot", "productshot", "lifestyle_image", "pillshot", or a list of them. */
  readonly photoType?:
    | 'packshot'
    | 'productshot'
    | 'lifestyle_image'
    | 'pillshot'
    | readonly ('packshot' | 'productshot' | 'lifestyle_image' | 'pillshot')[]
    | Variable
  /** A link type, or a list of them. */
  readonly linkType?: string | readonly string[]
  /** A side, or a list of them. */
  readonly visibleSides?: string | readonly string[]
  /** A date-time, or { from, until } with one or both. */
  readonly createdAt?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** A date-time, or { from, until } with one or both. */
  readonly touchedAt?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** A date-time, or { from, until } with one or both. */
  readonly updatedSince?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** A product id (letters and digits, a letter first), or a list of them. */
  readonly product?: string | readonly string[]
  /** True, false, a date-time, or { from, until } with one or both. */
  readonly available?:
    | boolean
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** A locale such as "nl" or "en_AU", or a list of them. */
  readonly locale?: string | readonly string[]
}

/** Keys that `v4/media/query` sorts by. */
export interface V4MediaQuerySortings {
  readonly id?: 'ASC' | 'DESC' | Variable
  readonly createdAt?: 'ASC' | 'DESC' | Variable
  readonly touchedAt?: 'ASC' | 'DESC' | Variable
}

/** Filter keys of `v4/media/find`. */
export interface V4MediaFindFilters {
  /** A media id (a whole number). */
  readonly id?: string | number
}

/** Filter keys of `v4/updates/query`. */
export interface V4UpdatesQueryFilters {
  /** A news item id (a whole number). */
  readonly id?: string | number
  /** An organization id (a whole number), or a list of them. */
  readonly organization?: string | number | readonly (string | number)[]
  /** One of "product", "organization", "public_category", "brand", or a list of them. */
  readonly newsType?:
    | 'product'
    | 'organization'
    | 'public_category'
    | 'brand'
    | readonly ('product' | 'organization' | 'public_category' | 'brand')[]
    | Variable
  /** A date-time, or { from, until } with one or both. */
  readonly createdAt?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** A date-time, or { from, until } with one or both. */
  readonly updatedSince?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** A locale such as "nl" or "en_AU", or a list of them. */
  readonly locale?: string | readonly string[]
  /** A product id (letters and digits, a letter first), or a list of them. */
  readonly product?: string | readonly string[]
  /** A public category id (a whole number), or a list of them. */
  readonly publicCategory?: string | number | readonly (string | number)[]
  /** A brand id (a whole number), or a list of them. */
  readonly brand?: string | number | readonly (string | number)[]
  /** A target group such as "public" or "pharmacist", or a list of them. */
  readonly targetGroup?: string | readonly string[]
}

/** Keys that `v4/updates/query` sorts by. */
export interface V4UpdatesQuerySortings {
  readonly id?: 'ASC' | 'DESC' | Variable
  readonly createdAt?: 'ASC' | 'DESC' | Variable
  readonly sortOrder?: 'ASC' | 'DESC' | Variable
}

/** Filter keys of `v4/corrections/query`. */
export interface V4CorrectionsQueryFilters {
  /** A product id (letters and digits, a letter first). */
  readonly product?: string
  /** One of "open", "in_progress", "handled". */
  readonly status?: 'open' | 'in_progress' | 'handled' | Variable
  /** An organization id (a whole number). */
  readonly organization?: string | number
  /** A text to search for. */
  readonly search?: string
  /** A locale such as "nl" or "en_AU", or a list of them. */
  readonly locale?: string | readonly string[]
  /** A correction type (text or a whole number). */
  readonly type?: string | number
  /** A user id (text or a whole number). */
  readonly createdBy?: string | number
  /** A date-time, or { from, until } with one or both. */
  readonly createdAt?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
}

/** Keys that `v4/corrections/query` sorts by. */
export interface V4CorrectionsQuerySortings {
  readonly touchedAt?: 'ASC' | 'DESC' | Variable
}

/** Filter keys of `v4/corrections/find`. */
export interface V4CorrectionsFindFilters {
  /** A correction id (a whole number). */
  readonly id?: string | number
}

/** Filter keys of `v4/active-ingredients/query`. */
export interface V4ActiveIngredientsQueryFilters {
  /** An active ingredient id (a whole number), or a list of them. */
  readonly id?: string | number | readonly (string | number)[]
  /** { query, locale }. */
  readonly search?:
    | {
        readonly query: string
        readonly locale: string
      }
    | Variable
}

/** Filter keys of `v4/organizations/find`. */
export interface V4OrganizationsFindFilters {
  /** An organization id (a whole number). */
  readonly id?: string | number
}

/** Filter keys of `v4/brands/find`. */
export interface V4BrandsFindFilters {
  /** A brand id (a whole number). */
  readonly id?: string | number
}

/** Filter keys of `v4/catalog-categories/query`. */
export interface V4CatalogCategoriesQueryFilters {
  /** A code as text (in quotes, so that leading zeros stay), or a list of them. */
  readonly id?: string | readonly string[]
  /** { query, locale }, or text. */
  readonly search?:
    | {
        readonly query: string
        readonly locale: string
      }
    | string
}

/** Filter keys of `v3/products/search`. */
export interface V3ProductsSearchFilters {
  /** A product id (letters and digits, a letter first, or a whole number), or a list of them. */
  readonly id?: string | number | readonly (string | number)[]
  /** A CNK code (7 digits, fewer are padded with zeros on the left), or a list of them. */
  readonly cnk?: string | number | readonly (string | number)[]
  /** One of "active", "replaced", "inactive", or a list of them. */
  readonly status?: 'active' | 'replaced' | 'inactive' | readonly ('active' | 'replaced' | 'inactive')[] | Variable
  /**
   * One of "yes", "no", "unknown".
   *
   * @deprecated
   */
  readonly ecommerce?: 'yes' | 'no' | 'unknown' | Variable
  /** An APB category id as text (in quotes, so that leading zeros stay), or a list of them. */
  readonly apbCategory?: string | readonly string[]
  /** One of "room", "refrigerator", "fresh", "frozen", or a list of them. */
  readonly conservation?:
    'room' | 'refrigerator' | 'fresh' | 'frozen' | readonly ('room' | 'refrigerator' | 'fresh' | 'frozen')[] | Variable
  /** A public category id (a whole number), or a list of them. */
  readonly publicCategory?: string | number | readonly (string | number)[]
  /** A BCFI category id as text (in quotes, so that leading zeros stay), or a list of them. */
  readonly bcfiCategory?: string | readonly string[]
  /** A product family id (a whole number), or a list of them. */
  readonly productFamily?: string | number | readonly (string | number)[]
  /** A brand id (a whole number), or a list of them. */
  readonly brand?: string | number | readonly (string | number)[]
  /** An organization id (a whole number), or a list of them. */
  readonly organization?: string | number | readonly (string | number)[]
  /** True or false. */
  readonly prescription?: boolean | Variable
  /** True or false. */
  readonly writtenRequestByPatient?: boolean | Variable
  /** True or false. */
  readonly minimumContent?: boolean | Variable
  /** A date-time, or { from, until } with one or both. */
  readonly createdAt?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** A date-time, or { from, until } with one or both. */
  readonly updatedSince?:
    | number
    | string
    | {
        readonly from?: number | string | undefined
        readonly until?: number | string | undefined
      }
  /** A CTI code as text (in quotes, so that leading zeros stay). */
  readonly cti?: string
  /** An EAN code (at most 14 digits), or a list of them. */
  readonly ean?: string | number | readonly (string | number)[]
  /** A GTIN code (at most 14 digits), or a list of them. */
  readonly gtin?: string | number | readonly (string | number)[]
  /** An active ingredient id (a whole number), or a list of them. */
  readonly activeIngredient?: string | number | readonly (string | number)[]
  /** { query, locale }. */
  readonly search?:
    | {
        readonly query: string
        readonly locale: string
      }
    | Variable
}

/** Keys that `v3/products/search` sorts by. */
export interface V3ProductsSearchSortings {
  readonly id?: 'ASC' | 'DESC' | Variable
  readonly cnk?: 'ASC' | 'DESC' | Variable
}

/** Filter keys of `v3/products/get`. */
export interface V3ProductsGetFilters {
  /** A product id (letters and digits, a letter first, or a whole number). */
  readonly id?: string | number
}
