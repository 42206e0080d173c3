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
  `brand_names` ARRAY<STRING> OPTIONS (description = "Brands: Name (locale nl)"),
  `atc` STRING OPTIONS (description = "ATC category codes")
) OPTIONS (description = "One row a product.");
LOAD DATA INTO `products`
FROM FILES (format = 'PARQUET', enable_list_inference = TRUE, uris = ["gs://BUCKET/out/products.parquet"]);

CREATE TABLE `product_photos` (
  `product_id` STRING OPTIONS (description = "The id of the product that the row belongs to"),
  `position` INT64 OPTIONS (description = "Position in photos[], from 1"),
  `id` INT64 OPTIONS (description = "Media id"),
  `locales` ARRAY<STRING> OPTIONS (description = "Languages it suits")
) OPTIONS (description = "One row an element of photos[] (Photos) of a product.");
LOAD DATA INTO `product_photos`
FROM FILES (format = 'PARQUET', enable_list_inference = TRUE, uris = ["gs://BUCKET/out/product_photos.parquet"]);
