-- For clickhouse-client: FROM INFILE reads files of the machine that it runs on. An array is never NULL: a missing list is an empty one.

CREATE TABLE "products" (
  "id" Nullable(String) COMMENT 'Unique product identifier',
  "name_nl" Nullable(String) COMMENT 'Name (locale nl)',
  "name_fr" Nullable(String) COMMENT 'Name (locale fr)',
  "name_en" Nullable(String) COMMENT 'Name (locale en)',
  "status" Nullable(String) COMMENT 'State',
  "meta_updated_at" Nullable(DateTime64(3, 'UTC')) COMMENT 'About the record: Last change, photos and links included',
  "day" Nullable(Date32) COMMENT 'About the record: Last change, photos and links included (day in UTC)',
  "price" Nullable(Decimal(12,2)) COMMENT 'Public price, including VAT (money, delivered in cents, divided by 100)',
  "weight" Nullable(Float64) COMMENT 'Weight: Amount',
  "prescribed" Nullable(Bool) COMMENT 'Requires a prescription',
  "brand_names" Array(Nullable(String)) COMMENT 'Brands: Name (locale nl)',
  "atc" Nullable(String) COMMENT 'ATC category codes'
) ENGINE = MergeTree ORDER BY tuple() COMMENT 'One row a product.';
INSERT INTO "products" ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc")
FROM INFILE 'out/products.parquet'
FORMAT Parquet;

CREATE TABLE "product_photos" (
  "product_id" Nullable(String) COMMENT 'The id of the product that the row belongs to',
  "position" Nullable(Int64) COMMENT 'Position in photos[], from 1',
  "id" Nullable(Int64) COMMENT 'Media id',
  "locales" Array(Nullable(String)) COMMENT 'Languages it suits'
) ENGINE = MergeTree ORDER BY tuple() COMMENT 'One row an element of photos[] (Photos) of a product.';
INSERT INTO "product_photos" ("product_id", "position", "id", "locales")
FROM INFILE 'out/product_photos.parquet'
FORMAT Parquet;
