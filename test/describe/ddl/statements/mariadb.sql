-- For `mariadb --local-infile`, MariaDB 10.6 or newer: LOCAL reads files of the machine that it runs on. Times are in UTC; a list is JSON.
SET NAMES utf8mb4;
SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES';

CREATE TABLE "products" (
  "id" longtext COMMENT 'Unique product identifier',
  "name_nl" longtext COMMENT 'Name (locale nl)',
  "name_fr" longtext COMMENT 'Name (locale fr)',
  "name_en" longtext COMMENT 'Name (locale en)',
  "status" longtext COMMENT 'State',
  "meta_updated_at" datetime(3) COMMENT 'About the record: Last change, photos and links included',
  "day" date COMMENT 'About the record: Last change, photos and links included (day in UTC)',
  "price" decimal(12,2) COMMENT 'Public price, including VAT (money, delivered in cents, divided by 100)',
  "weight" double COMMENT 'Weight: Amount',
  "prescribed" boolean COMMENT 'Requires a prescription',
  "brand_names" json COMMENT 'Brands: Name (locale nl)',
  "atc" json COMMENT 'ATC category codes'
) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin COMMENT 'One row a product.';
CREATE OR REPLACE TEMPORARY TABLE catalogue_lines (line longtext CHARACTER SET utf8mb4);
LOAD DATA LOCAL INFILE 'out/products.ndjson' INTO TABLE catalogue_lines CHARACTER SET utf8mb4
FIELDS TERMINATED BY X'01' ESCAPED BY '' LINES TERMINATED BY X'0A';
INSERT INTO "products" ("id", "name_nl", "name_fr", "name_en", "status", "meta_updated_at", "day", "price", "weight", "prescribed", "brand_names", "atc")
SELECT r."id", r."name_nl", r."name_fr", r."name_en", r."status", REPLACE(r."meta_updated_at", 'Z', ''), r."day", r."price", r."weight", r."prescribed" = 'true', NULLIF(JSON_COMPACT(JSON_EXTRACT(line, '$."brand_names"')), 'null'), NULLIF(JSON_COMPACT(JSON_EXTRACT(line, '$."atc"')), 'null')
FROM catalogue_lines, JSON_TABLE(line, '$' COLUMNS ("id" longtext CHARACTER SET utf8mb4 PATH '$."id"' ERROR ON ERROR, "name_nl" longtext CHARACTER SET utf8mb4 PATH '$."name_nl"' ERROR ON ERROR, "name_fr" longtext CHARACTER SET utf8mb4 PATH '$."name_fr"' ERROR ON ERROR, "name_en" longtext CHARACTER SET utf8mb4 PATH '$."name_en"' ERROR ON ERROR, "status" longtext CHARACTER SET utf8mb4 PATH '$."status"' ERROR ON ERROR, "meta_updated_at" longtext CHARACTER SET utf8mb4 PATH '$."meta_updated_at"' ERROR ON ERROR, "day" longtext CHARACTER SET utf8mb4 PATH '$."day"' ERROR ON ERROR, "price" longtext CHARACTER SET utf8mb4 PATH '$."price"' ERROR ON ERROR, "weight" longtext CHARACTER SET utf8mb4 PATH '$."weight"' ERROR ON ERROR, "prescribed" longtext CHARACTER SET utf8mb4 PATH '$."prescribed"' ERROR ON ERROR)) AS r;

CREATE TABLE "product_photos" (
  "product_id" longtext COMMENT 'The id of the product that the row belongs to',
  "position" bigint COMMENT 'Position in photos[], from 1',
  "id" bigint COMMENT 'Media id',
  "locales" json COMMENT 'Languages it suits'
) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin COMMENT 'One row an element of photos[] (Photos) of a product.';
CREATE OR REPLACE TEMPORARY TABLE catalogue_lines (line longtext CHARACTER SET utf8mb4);
LOAD DATA LOCAL INFILE 'out/product_photos.ndjson' INTO TABLE catalogue_lines CHARACTER SET utf8mb4
FIELDS TERMINATED BY X'01' ESCAPED BY '' LINES TERMINATED BY X'0A';
INSERT INTO "product_photos" ("product_id", "position", "id", "locales")
SELECT r."product_id", r."position", r."id", NULLIF(JSON_COMPACT(JSON_EXTRACT(line, '$."locales"')), 'null')
FROM catalogue_lines, JSON_TABLE(line, '$' COLUMNS ("product_id" longtext CHARACTER SET utf8mb4 PATH '$."product_id"' ERROR ON ERROR, "position" longtext CHARACTER SET utf8mb4 PATH '$."position"' ERROR ON ERROR, "id" longtext CHARACTER SET utf8mb4 PATH '$."id"' ERROR ON ERROR)) AS r;
