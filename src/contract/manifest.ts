/** The list of contents in every archive, by which the page for checking files recognizes one. Apart, so that its worker loads no schemas. */
export const MANIFEST_NAME = 'Manifest.json'
