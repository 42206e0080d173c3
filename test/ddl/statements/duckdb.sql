
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
INSERT INTO "products" ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc")
SELECT "id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc"
FROM read_parquet('out/products.parquet', hive_partitioning = false);

CREATE TABLE "product_photos" (
  "product_id" VARCHAR,
  "position" BIGINT,
  "id" BIGINT,
  "locales" VARCHAR[]
);
INSERT INTO "product_photos" ("product_id", "position", "id", "locales")
SELECT "product_id", "position", "id", "locales"
FROM read_parquet('out/product_photos.parquet', hive_partitioning = false);
