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
  `brand_names` ARRAY<STRING>,
  `atc` STRING
);
CREATE OR REPLACE TEMPORARY VIEW `catalogue_files` (`id` STRING, `name_nl` STRING, `name_fr` STRING, `name_en` STRING, `status` STRING, `meta_updated_at` TIMESTAMP, `day` DATE, `price` DECIMAL(12,2), `weight` DOUBLE, `prescribed` BOOLEAN, `brand_names` ARRAY<STRING>, `atc` STRING)
USING PARQUET OPTIONS (path 'out/products.parquet');
INSERT OVERWRITE TABLE `products` SELECT `id`, `name_nl`, `name_fr`, `name_en`, `status`, `meta_updated_at`, `day`, `price`, `weight`, `prescribed`, `brand_names`, `atc` FROM `catalogue_files`;

CREATE TABLE `product_photos` (
  `product_id` STRING,
  `position` BIGINT,
  `id` BIGINT,
  `locales` ARRAY<STRING>
);
CREATE OR REPLACE TEMPORARY VIEW `catalogue_files` (`product_id` STRING, `position` BIGINT, `id` BIGINT, `locales` ARRAY<STRING>)
USING PARQUET OPTIONS (path 'out/product_photos.parquet');
INSERT OVERWRITE TABLE `product_photos` SELECT `product_id`, `position`, `id`, `locales` FROM `catalogue_files`;
