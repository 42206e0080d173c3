-- For Snowflake. CATALOGUE is a stage: an external one over the bucket, or an internal one that PUT fills, with the files under their paths.

CREATE TABLE "PRODUCTS" (
  "ID" VARCHAR,
  "NAME_NL" VARCHAR,
  "NAME_FR" VARCHAR,
  "NAME_EN" VARCHAR,
  "STATUS" VARCHAR,
  "META_UPDATED_AT" TIMESTAMP_TZ,
  "DAY" DATE,
  "PRICE" NUMBER(12,2),
  "WEIGHT" DOUBLE,
  "PRESCRIBED" BOOLEAN,
  "BRAND_NAMES" ARRAY,
  "ATC" VARCHAR
);
COMMENT ON TABLE "PRODUCTS" IS 'One row a product.';
COMMENT ON COLUMN "PRODUCTS"."ID" IS 'Unique product identifier';
COMMENT ON COLUMN "PRODUCTS"."NAME_NL" IS 'Name (locale nl)';
COMMENT ON COLUMN "PRODUCTS"."NAME_FR" IS 'Name (locale fr)';
COMMENT ON COLUMN "PRODUCTS"."NAME_EN" IS 'Name (locale en)';
COMMENT ON COLUMN "PRODUCTS"."STATUS" IS 'State';
COMMENT ON COLUMN "PRODUCTS"."META_UPDATED_AT" IS 'About the record: Last change, photos and links included';
COMMENT ON COLUMN "PRODUCTS"."DAY" IS 'About the record: Last change, photos and links included (day in UTC)';
COMMENT ON COLUMN "PRODUCTS"."PRICE" IS 'Public price, including VAT (money, delivered in cents, divided by 100)';
COMMENT ON COLUMN "PRODUCTS"."WEIGHT" IS 'Weight: Amount';
COMMENT ON COLUMN "PRODUCTS"."PRESCRIBED" IS 'Requires a prescription';
COMMENT ON COLUMN "PRODUCTS"."BRAND_NAMES" IS 'Brands: Name (locale nl)';
COMMENT ON COLUMN "PRODUCTS"."ATC" IS 'ATC category codes';
COPY INTO "PRODUCTS"
FROM '@CATALOGUE/out/'
FILES = ('products.parquet')
FILE_FORMAT = (TYPE = PARQUET USE_LOGICAL_TYPE = TRUE)
MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE
ON_ERROR = ABORT_STATEMENT;

CREATE TABLE "PRODUCT_PHOTOS" (
  "PRODUCT_ID" VARCHAR,
  "POSITION" NUMBER(19,0),
  "ID" NUMBER(19,0),
  "LOCALES" ARRAY
);
COMMENT ON TABLE "PRODUCT_PHOTOS" IS 'One row an element of photos[] (Photos) of a product.';
COMMENT ON COLUMN "PRODUCT_PHOTOS"."PRODUCT_ID" IS 'The id of the product that the row belongs to';
COMMENT ON COLUMN "PRODUCT_PHOTOS"."POSITION" IS 'Position in photos[], from 1';
COMMENT ON COLUMN "PRODUCT_PHOTOS"."ID" IS 'Media id';
COMMENT ON COLUMN "PRODUCT_PHOTOS"."LOCALES" IS 'Languages it suits';
COPY INTO "PRODUCT_PHOTOS"
FROM '@CATALOGUE/out/'
FILES = ('product_photos.parquet')
FILE_FORMAT = (TYPE = PARQUET USE_LOGICAL_TYPE = TRUE)
MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE
ON_ERROR = ABORT_STATEMENT;
