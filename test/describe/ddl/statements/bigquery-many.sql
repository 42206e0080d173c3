-- For BigQuery. BUCKET is the bucket that the files are copied to, with their paths. Its arrays hold no NULL element.

CREATE TABLE `products` (
  `id` STRING OPTIONS (description = "Unique product identifier"),
  `name_nl` STRING OPTIONS (description = "Name (locale nl)"),
  `name_fr` STRING OPTIONS (description = "Name (locale fr)"),
  `name_en` STRING OPTIONS (description = "Name (locale en)"),
  `status` STRING OPTIONS (description = "State"),
  `meta_updated_at` TIMESTAMP OPTIONS (description = "About the record: Last change, photos and links included"),
  `day` DATE OPTIONS (description = "About the record: Last change, photos and links included (day in UTC)"),
  `price` NUMERIC(12, 2) OPTIONS (description = "Public price, including VAT (money, delivered in cents, divided by 100)"),
  `weight` FLOAT64 OPTIONS (description = "Weight: Amount"),
  `prescribed` BOOL OPTIONS (description = "Requires a prescription"),
  `brand_names` STRING OPTIONS (description = "Brands: Name (locale nl)"),
  `atc` JSON OPTIONS (description = "ATC category codes"),
  `valid_from` TIMESTAMP OPTIONS (description = "When this version of the record began"),
  `valid_to` TIMESTAMP OPTIONS (description = "When it ended; empty for the current version"),
  `is_current` BOOL OPTIONS (description = "True for the current version of the record")
) OPTIONS (description = "One row a product.");
LOAD DATA INTO `products`
FROM FILES (format = 'CSV', field_delimiter = ",", quote = "\"", skip_leading_rows = 1, allow_quoted_newlines = TRUE, uris = ["s3://bucket/products/status=*"]);
