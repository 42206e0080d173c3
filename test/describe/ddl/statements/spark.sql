-- For Spark SQL and Databricks (there, USING DELTA does as well).

CREATE TABLE `products` (
  `id` STRING COMMENT 'Unique product identifier',
  `name_nl` STRING COMMENT 'Name (locale nl)',
  `name_fr` STRING COMMENT 'Name (locale fr)',
  `name_en` STRING COMMENT 'Name (locale en)',
  `status` STRING COMMENT 'State',
  `meta_updated_at` TIMESTAMP COMMENT 'About the record: Last change, photos and links included',
  `day` DATE COMMENT 'About the record: Last change, photos and links included (day in UTC)',
  `price` DECIMAL(12,2) COMMENT 'Public price, including VAT (money, delivered in cents, divided by 100)',
  `weight` DOUBLE COMMENT 'Weight: Amount',
  `prescribed` BOOLEAN COMMENT 'Requires a prescription',
  `brand_names` ARRAY<STRING> COMMENT 'Brands: Name (locale nl)',
  `atc` STRING COMMENT 'ATC category codes'
) COMMENT 'One row a product.';
CREATE OR REPLACE TEMPORARY VIEW `catalogue_files` (`id` STRING, `name_nl` STRING, `name_fr` STRING, `name_en` STRING, `status` STRING, `meta_updated_at` TIMESTAMP, `day` DATE, `price` DECIMAL(12,2), `weight` DOUBLE, `prescribed` BOOLEAN, `brand_names` ARRAY<STRING>, `atc` STRING)
USING PARQUET OPTIONS (path 'out/products.parquet');
INSERT OVERWRITE TABLE `products` SELECT `id`, `name_nl`, `name_fr`, `name_en`, `status`, `meta_updated_at`, `day`, `price`, `weight`, `prescribed`, `brand_names`, `atc` FROM `catalogue_files`;

CREATE TABLE `product_photos` (
  `product_id` STRING COMMENT 'The id of the product that the row belongs to',
  `position` BIGINT COMMENT 'Position in photos[], from 1',
  `id` BIGINT COMMENT 'Media id',
  `locales` ARRAY<STRING> COMMENT 'Languages it suits'
) COMMENT 'One row an element of photos[] (Photos) of a product.';
CREATE OR REPLACE TEMPORARY VIEW `catalogue_files` (`product_id` STRING, `position` BIGINT, `id` BIGINT, `locales` ARRAY<STRING>)
USING PARQUET OPTIONS (path 'out/product_photos.parquet');
INSERT OVERWRITE TABLE `product_photos` SELECT `product_id`, `position`, `id`, `locales` FROM `catalogue_files`;
