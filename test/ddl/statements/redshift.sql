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
COPY "product_photos"
FROM 's3://BUCKET/out/product_photos.parquet'
IAM_ROLE default
FORMAT AS PARQUET
SERIALIZETOJSON;
