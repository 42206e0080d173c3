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
  "BRAND_NAMES" VARCHAR,
  "ATC" VARCHAR,
  "VALID_FROM" TIMESTAMP_TZ,
  "VALID_TO" TIMESTAMP_TZ,
  "IS_CURRENT" BOOLEAN
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
COMMENT ON COLUMN "PRODUCTS"."VALID_FROM" IS 'When this version of the record began';
COMMENT ON COLUMN "PRODUCTS"."VALID_TO" IS 'When it ended; empty for the current version';
COMMENT ON COLUMN "PRODUCTS"."IS_CURRENT" IS 'True for the current version of the record';
COPY INTO "PRODUCTS"
FROM '@CATALOGUE/products/'
PATTERN = '.*products/status=[^/]*/all[^/]*[.]csv'
FILE_FORMAT = (TYPE = CSV FIELD_DELIMITER = ',' FIELD_OPTIONALLY_ENCLOSED_BY = '"' SKIP_HEADER = 1 NULL_IF = () EMPTY_FIELD_AS_NULL = TRUE)
ON_ERROR = ABORT_STATEMENT;
