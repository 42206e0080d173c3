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
  "brand_names" Nullable(String) COMMENT 'Brands: Name (locale nl)',
  "atc" Nullable(String) COMMENT 'ATC category codes',
  "valid_from" Nullable(DateTime64(3, 'UTC')) COMMENT 'When this version of the record began',
  "valid_to" Nullable(DateTime64(3, 'UTC')) COMMENT 'When it ended; empty for the current version',
  "is_current" Nullable(Bool) COMMENT 'True for the current version of the record'
) ENGINE = MergeTree ORDER BY tuple() COMMENT 'One row a product.';
INSERT INTO "products" ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc", "valid_from", "valid_to", "is_current")
SELECT "id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc", "valid_from", "valid_to", "is_current" FROM s3('s3://bucket/products/status=*/all*.csv', 'CSVWithNames', '"id" Nullable(String), "name_nl" Nullable(String), "name_fr" Nullable(String), "name_en" Nullable(String), "status" Nullable(String), "meta_updated_at" Nullable(DateTime64(3, \'UTC\')), "day" Nullable(Date32), "price" Nullable(Decimal(12,2)), "weight" Nullable(Float64), "prescribed" Nullable(Bool), "brand_names" Nullable(String), "atc" Nullable(String), "valid_from" Nullable(DateTime64(3, \'UTC\')), "valid_to" Nullable(DateTime64(3, \'UTC\')), "is_current" Nullable(Bool)')
SETTINGS date_time_input_format = 'best_effort', format_csv_delimiter = ',', format_csv_null_representation = '', input_format_csv_trim_whitespaces = 0, input_format_csv_detect_header = 0;
