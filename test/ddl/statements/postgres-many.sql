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
BEGIN;
CREATE TEMPORARY TABLE catalogue_rows ("id" text, "name_nl" text, "name_fr" text, "name_en" text, "status" text, "meta_updated_at" timestamp with time zone, "day" date, "price" numeric(12,2), "weight" double precision, "prescribed" boolean, "brand_names" text, "atc" json, "valid_from" timestamp with time zone, "valid_to" timestamp with time zone, "is_current" boolean) ON COMMIT DROP;
\copy catalogue_rows ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc", "valid_from", "valid_to", "is_current") FROM PROGRAM 'for file in s3://bucket/products/status=*/all*.csv; do cat "$file" | tail -n +2; done' WITH (FORMAT csv, HEADER false, DELIMITER ',', QUOTE '"', ENCODING 'UTF8')
INSERT INTO "products" ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc", "valid_from", "valid_to", "is_current") SELECT "id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", CASE WHEN "brand_names" IS NOT NULL THEN ARRAY(SELECT replace(replace(e, chr(57346), '|'), chr(57345), '\') FROM unnest(string_to_array(replace(replace("brand_names", '\\', chr(57345)), '\' || '|', chr(57346)), '|', '')) WITH ORDINALITY AS t(e, n) ORDER BY n)::text[] END, "atc", "valid_from", "valid_to", "is_current" FROM catalogue_rows;
COMMIT;
