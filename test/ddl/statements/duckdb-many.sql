
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
INSERT INTO "products" ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc", "valid_from", "valid_to", "is_current")
SELECT "id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", CASE WHEN "brand_names" = '' THEN [] ELSE CAST(list_transform(string_split(replace(replace("brand_names", '\\', chr(57345)), concat('\', '|'), chr(57346)), '|'), lambda e: replace(replace(nullif(e, ''), chr(57346), '|'), chr(57345), '\')) AS VARCHAR[]) END, "atc", "valid_from", "valid_to", "is_current"
FROM read_csv('s3://bucket/products/status=*/all*.csv', auto_detect = false, hive_partitioning = false, header = true, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false, columns = {"id": 'VARCHAR', "name_nl": 'VARCHAR', "name_fr": 'VARCHAR', "name_en": 'VARCHAR', "status": 'VARCHAR', "meta_updated_at": 'TIMESTAMP WITH TIME ZONE', "day": 'DATE', "price": 'DECIMAL(12,2)', "weight": 'DOUBLE', "prescribed": 'BOOLEAN', "brand_names": 'VARCHAR', "atc": 'JSON', "valid_from": 'TIMESTAMP WITH TIME ZONE', "valid_to": 'TIMESTAMP WITH TIME ZONE', "is_current": 'BOOLEAN'});
