-- For Spark SQL and Databricks (there, USING DELTA does as well).

CREATE TABLE `products` (
  `id` STRING,
  `name_nl` STRING,
  `name_fr` STRING,
  `name_en` STRING,
  `status` STRING,
  `meta_updated_at` TIMESTAMP,
  `day` DATE,
  `price` DECIMAL(12,2),
  `weight` DOUBLE,
  `prescribed` BOOLEAN,
  `brand_names` STRING,
  `atc` STRING,
  `valid_from` TIMESTAMP,
  `valid_to` TIMESTAMP,
  `is_current` BOOLEAN
);
CREATE OR REPLACE TEMPORARY VIEW `catalogue_files` (`id` STRING, `name_nl` STRING, `name_fr` STRING, `name_en` STRING, `status` STRING, `meta_updated_at` TIMESTAMP, `day` DATE, `price` DECIMAL(12,2), `weight` DOUBLE, `prescribed` BOOLEAN, `brand_names` STRING, `atc` STRING, `valid_from` TIMESTAMP, `valid_to` TIMESTAMP, `is_current` BOOLEAN)
USING CSV OPTIONS (path 's3://bucket/products/status=*/all*.csv', header 'true', sep ',', quote '"', escape '"', multiLine 'true');
INSERT OVERWRITE TABLE `products` SELECT `id`, `name_nl`, `name_fr`, `name_en`, `status`, `meta_updated_at`, `day`, `price`, `weight`, `prescribed`, `brand_names`, `atc`, `valid_from`, `valid_to`, `is_current` FROM `catalogue_files`;
