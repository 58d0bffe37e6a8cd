/** The list of contents in every archive, by which the page for checking files recognizes one. Apart, so that its worker loads no schemas. */
export const MANIFEST_NAME = 'Manifest.json'

/** The part of Word and Excel files with their manifest, which is JSON in an XML element: custom XML by ECMA-376, part 1, 22.5. */
export const MANIFEST_PART = 'customXml/item1.xml'
