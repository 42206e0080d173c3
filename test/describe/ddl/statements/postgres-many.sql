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
  "atc" json,
  "valid_from" timestamp with time zone,
  "valid_to" timestamp with time zone,
  "is_current" boolean
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
BEGIN;
CREATE TEMPORARY TABLE catalogue_rows ("id" text, "name_nl" text, "name_fr" text, "name_en" text, "status" text, "meta_updated_at" timestamp with time zone, "day" date, "price" numeric(12,2), "weight" double precision, "prescribed" boolean, "brand_names" text, "atc" json, "valid_from" timestamp with time zone, "valid_to" timestamp with time zone, "is_current" boolean) ON COMMIT DROP;
\copy catalogue_rows ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc", "valid_from", "valid_to", "is_current") FROM PROGRAM 'for file in s3://bucket/products/status=*/all*.csv; do cat "$file" | tail -n +2; done' WITH (FORMAT csv, HEADER false, DELIMITER ',', QUOTE '"', ENCODING 'UTF8')
INSERT INTO "products" ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc", "valid_from", "valid_to", "is_current") SELECT "id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", CASE WHEN "brand_names" IS NOT NULL THEN ARRAY(SELECT replace(replace(e, chr(57346), '|'), chr(57345), '\') FROM unnest(string_to_array(replace(replace("brand_names", '\\', chr(57345)), '\' || '|', chr(57346)), '|', '')) WITH ORDINALITY AS t(e, n) ORDER BY n)::text[] END, "atc", "valid_from", "valid_to", "is_current" FROM catalogue_rows;
COMMIT;
