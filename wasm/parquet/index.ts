/** The kernels of Parquet's encodings. They keep nothing between calls; src/formats/parquet/page-kernels.ts says where everything is. */

export { countLevel, skipRows, writeListLevels, writeScalarLevels } from './levels'
export {
  gather16As4,
  gather16As8,
  gather16AsBytes,
  gather4,
  gather8,
  gatherBooleans,
  gatherTexts,
} from './values'
export { index4, index8, indexTexts } from './dictionary'
export { boundBooleans, boundBytes, boundFloat64, boundInt32, boundInt64, boundTexts } from './bounds'
export { packBytes, packWords } from './hybrid'
export { measurePlainTexts, writePlainBooleans, writePlainTexts } from './plain'
