
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
  "atc" JSON
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
INSERT INTO "products" ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc")
SELECT "id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc"
FROM read_parquet('out/products.parquet', hive_partitioning = false);

CREATE TABLE "product_photos" (
  "product_id" VARCHAR,
  "position" BIGINT,
  "id" BIGINT,
  "locales" VARCHAR[]
);
COMMENT ON TABLE "product_photos" IS 'One row an element of photos[] (Photos) of a product.';
COMMENT ON COLUMN "product_photos"."product_id" IS 'The id of the product that the row belongs to';
COMMENT ON COLUMN "product_photos"."position" IS 'Position in photos[], from 1';
COMMENT ON COLUMN "product_photos"."id" IS 'Media id';
COMMENT ON COLUMN "product_photos"."locales" IS 'Languages it suits';
INSERT INTO "product_photos" ("product_id", "position", "id", "locales")
SELECT "product_id", "position", "id", "locales"
FROM read_parquet('out/product_photos.parquet', hive_partitioning = false);
