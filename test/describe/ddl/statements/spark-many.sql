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
  `brand_names` STRING COMMENT 'Brands: Name (locale nl)',
  `atc` STRING COMMENT 'ATC category codes',
  `valid_from` TIMESTAMP COMMENT 'When this version of the record began',
  `valid_to` TIMESTAMP COMMENT 'When it ended; empty for the current version',
  `is_current` BOOLEAN COMMENT 'True for the current version of the record'
) COMMENT 'One row a product.';
CREATE OR REPLACE TEMPORARY VIEW `catalogue_files` (`id` STRING, `name_nl` STRING, `name_fr` STRING, `name_en` STRING, `status` STRING, `meta_updated_at` TIMESTAMP, `day` DATE, `price` DECIMAL(12,2), `weight` DOUBLE, `prescribed` BOOLEAN, `brand_names` STRING, `atc` STRING, `valid_from` TIMESTAMP, `valid_to` TIMESTAMP, `is_current` BOOLEAN)
USING CSV OPTIONS (path 's3://bucket/products/status=*/all*.csv', header 'true', sep ',', quote '"', escape '"', nullValue '\uE000', multiLine 'true');
INSERT OVERWRITE TABLE `products` SELECT `id`, `name_nl`, `name_fr`, `name_en`, `status`, `meta_updated_at`, `day`, `price`, `weight`, `prescribed`, `brand_names`, `atc`, `valid_from`, `valid_to`, `is_current` FROM `catalogue_files`;
