
CREATE TABLE "products" (
  "id" VARCHAR,
  "name_nl" VARCHAR,
  "name_fr" VARCHAR,
  "name_en" VARCHAR,
  "status" VARCHAR,
  "meta_updated_at" TIMESTAMP WITH TIME ZONE,
  "day" DATE,
  "price" DECIMAL(12,2),
  "weight" DOUBLE,
  "prescribed" BOOLEAN,
  "brand_names" VARCHAR[],
  "atc" JSON,
  "valid_from" TIMESTAMP WITH TIME ZONE,
  "valid_to" TIMESTAMP WITH TIME ZONE,
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
INSERT INTO "products" ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc", "valid_from", "valid_to", "is_current")
SELECT "id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", CASE WHEN "brand_names" = '' THEN [] ELSE CAST(list_transform(string_split(replace(replace("brand_names", '\\', chr(57345)), concat('\', '|'), chr(57346)), '|'), lambda e: replace(replace(nullif(e, ''), chr(57346), '|'), chr(57345), '\')) AS VARCHAR[]) END, "atc", "valid_from", "valid_to", "is_current"
FROM read_csv('s3://bucket/products/status=*/all*.csv', auto_detect = false, hive_partitioning = false, header = true, delim = ',', quote = '"', escape = '"', new_line = '\n', allow_quoted_nulls = false, columns = {"id": 'VARCHAR', "name_nl": 'VARCHAR', "name_fr": 'VARCHAR', "name_en": 'VARCHAR', "status": 'VARCHAR', "meta_updated_at": 'TIMESTAMP WITH TIME ZONE', "day": 'DATE', "price": 'DECIMAL(12,2)', "weight": 'DOUBLE', "prescribed": 'BOOLEAN', "brand_names": 'VARCHAR', "atc": 'JSON', "valid_from": 'TIMESTAMP WITH TIME ZONE', "valid_to": 'TIMESTAMP WITH TIME ZONE', "is_current": 'BOOLEAN'});
