-- For Redshift. BUCKET is the bucket that the files are copied to, with their paths; timestamps are in UTC.

CREATE TABLE "products" (
  "id" VARCHAR(65535),
  "name_nl" VARCHAR(65535),
  "name_fr" VARCHAR(65535),
  "name_en" VARCHAR(65535),
  "status" VARCHAR(65535),
  "meta_updated_at" TIMESTAMP,
  "day" DATE,
  "price" DECIMAL(12,2),
  "weight" DOUBLE PRECISION,
  "prescribed" BOOLEAN,
  "brand_names" VARCHAR(65535),
  "atc" VARCHAR(65535),
  "valid_from" TIMESTAMP,
  "valid_to" TIMESTAMP,
  "is_current" BOOLEAN
);
COMMENT ON TABLE "products" IS 'One row a product.';
COMMENT ON COLUMN "products"."id" IS 'Unique product identifier';
COMMENT ON COLUMN "products"."name_nl" IS 'Name (locale nl)';
COMMENT ON COLUMN "products"."name_fr" IS 'Name (locale fr)';
COMMENT ON COLUMN "products"."name_en" IS 'Name (locale en)';
COMMENT ON COLUMN "products"."status" IS 'State';
COMMENT ON COLUMN "products"."meta_updated_at" IS 'About the record: Last change, photos and links included';
COMMENT ON COLUMN "products"."day" IS 'About the record: Last change, photos and links included (day in UTC)';
COMMENT ON COLUMN "products"."price" IS 'Public price, including VAT (money, delivered in cents, divided by 100)';
COMMENT ON COLUMN "products"."weight" IS 'Weight: Amount';
COMMENT ON COLUMN "products"."prescribed" IS 'Requires a prescription';
COMMENT ON COLUMN "products"."brand_names" IS 'Brands: Name (locale nl)';
COMMENT ON COLUMN "products"."atc" IS 'ATC category codes';
COMMENT ON COLUMN "products"."valid_from" IS 'When this version of the record began';
COMMENT ON COLUMN "products"."valid_to" IS 'When it ended; empty for the current version';
COMMENT ON COLUMN "products"."is_current" IS 'True for the current version of the record';
COPY "products"
FROM 's3://bucket/products/status='
IAM_ROLE default
FORMAT AS CSV QUOTE AS '"' DELIMITER ','
IGNOREHEADER 1
TIMEFORMAT 'auto'
EMPTYASNULL;
