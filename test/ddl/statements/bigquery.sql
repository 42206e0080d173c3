-- For BigQuery. BUCKET is the bucket that the files are copied to, with their paths. Its arrays hold no NULL element.

CREATE TABLE `products` (
  `id` STRING,
  `name_nl` STRING,
  `name_fr` STRING,
  `name_en` STRING,
  `status` STRING,
  `meta_updated_at` TIMESTAMP,
  `day` DATE,
  `price` NUMERIC(12, 2),
  `weight` FLOAT64,
  `prescribed` BOOL,
  `brand_names` ARRAY<STRING>,
  `atc` STRING
);
LOAD DATA INTO `products`
FROM FILES (format = 'PARQUET', enable_list_inference = TRUE, uris = ["gs://BUCKET/out/products.parquet"]);

CREATE TABLE `product_photos` (
  `product_id` STRING,
  `position` INT64,
  `id` INT64,
  `locales` ARRAY<STRING>
);
LOAD DATA INTO `product_photos`
FROM FILES (format = 'PARQUET', enable_list_inference = TRUE, uris = ["gs://BUCKET/out/product_photos.parquet"]);
