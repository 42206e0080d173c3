-- For psql: \copy reads files of the machine that psql runs on.

CREATE TABLE "products" (
  "id" text,
  "name_nl" text,
  "name_fr" text,
  "name_en" text,
  "status" text,
  "meta_updated_at" timestamp with time zone,
  "day" date,
  "price" numeric(12,2),
  "weight" double precision,
  "prescribed" boolean,
  "brand_names" text[],
  "atc" json
);
BEGIN;
CREATE TEMPORARY TABLE catalogue_lines (line json) ON COMMIT DROP;
\copy catalogue_lines FROM PROGRAM 'gzip -dc out/products.ndjson.gz' WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02', ENCODING 'UTF8')
INSERT INTO "products" ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc") SELECT r."id", r."name_nl", r."name_fr", r."name_en", r."status", r."meta_updated_at", r."day", r."price", r."weight", r."prescribed", r."brand_names", r."atc" FROM catalogue_lines, json_populate_record(NULL::"products", line) AS r;
COMMIT;

CREATE TABLE "product_photos" (
  "product_id" text,
  "position" bigint,
  "id" bigint,
  "locales" text[]
);
BEGIN;
CREATE TEMPORARY TABLE catalogue_lines (line json) ON COMMIT DROP;
\copy catalogue_lines FROM PROGRAM 'gzip -dc out/product_photos.ndjson.gz' WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02', ENCODING 'UTF8')
INSERT INTO "product_photos" ("product_id", "position", "id", "locales") SELECT r."product_id", r."position", r."id", r."locales" FROM catalogue_lines, json_populate_record(NULL::"product_photos", line) AS r;
COMMIT;
