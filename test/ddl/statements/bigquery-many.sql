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
  `brand_names` STRING,
  `atc` JSON,
  `valid_from` TIMESTAMP,
  `valid_to` TIMESTAMP,
  `is_current` BOOL
);
LOAD DATA INTO `products`
FROM FILES (format = 'CSV', field_delimiter = ",", quote = "\"", skip_leading_rows = 1, allow_quoted_newlines = TRUE, uris = ["s3://bucket/products/status=*"]);
