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
COPY "products"
FROM 's3://bucket/products/status='
IAM_ROLE default
FORMAT AS CSV QUOTE AS '"' DELIMITER ','
IGNOREHEADER 1
TIMEFORMAT 'auto'
EMPTYASNULL;
