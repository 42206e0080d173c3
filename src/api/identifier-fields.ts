/** A bar code may be delivered in any of its fields, whichever of them is asked for. */
const barCodeFields = ['ean', 'gtin', 'eanGtin8', 'eanGtin12', 'eanGtin13', 'eanGtin14']

/** News items and media have a list of the products that they are about. */
const productFields = ['product', 'products']

/** The fields of a record that may hold what a filter key of identifiers asks for. */
export function listIdentifierFields(key: string): readonly string[] {
  if (key === 'product') return productFields
  return barCodeFields.includes(key) ? barCodeFields : [key]
}
