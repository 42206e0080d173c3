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
COMMENT ON TABLE "product_photos" IS 'One row an element of photos[] (Photos) of a product.';
COMMENT ON COLUMN "product_photos"."product_id" IS 'The id of the product that the row belongs to';
COMMENT ON COLUMN "product_photos"."position" IS 'Position in photos[], from 1';
COMMENT ON COLUMN "product_photos"."id" IS 'Media id';
COMMENT ON COLUMN "product_photos"."locales" IS 'Languages it suits';
BEGIN;
CREATE TEMPORARY TABLE catalogue_lines (line json) ON COMMIT DROP;
\copy catalogue_lines FROM PROGRAM 'gzip -dc out/product_photos.ndjson.gz' WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02', ENCODING 'UTF8')
INSERT INTO "product_photos" ("product_id", "position", "id", "locales") SELECT r."product_id", r."position", r."id", r."locales" FROM catalogue_lines, json_populate_record(NULL::"product_photos", line) AS r;
COMMIT;
