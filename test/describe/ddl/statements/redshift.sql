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
  "brand_names" SUPER,
  "atc" VARCHAR(65535)
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
COPY "products"
FROM 's3://BUCKET/out/products.parquet'
IAM_ROLE default
FORMAT AS PARQUET
SERIALIZETOJSON;

CREATE TABLE "product_photos" (
  "product_id" VARCHAR(65535),
  "position" BIGINT,
  "id" BIGINT,
  "locales" SUPER
);
COMMENT ON TABLE "product_photos" IS 'One row an element of photos[] (Photos) of a product.';
COMMENT ON COLUMN "product_photos"."product_id" IS 'The id of the product that the row belongs to';
COMMENT ON COLUMN "product_photos"."position" IS 'Position in photos[], from 1';
COMMENT ON COLUMN "product_photos"."id" IS 'Media id';
COMMENT ON COLUMN "product_photos"."locales" IS 'Languages it suits';
COPY "product_photos"
FROM 's3://BUCKET/out/product_photos.parquet'
IAM_ROLE default
FORMAT AS PARQUET
SERIALIZETOJSON;
