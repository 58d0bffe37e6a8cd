import type { CodeList } from './code-lists.ts'

const names = new Intl.DisplayNames('en', { type: 'currency' })

/** The ISO 4217 codes that the runtime has names for. */
export const CURRENCIES: CodeList = Object.fromEntries(
  Intl.supportedValuesOf('currency').map((code) => [code, `${code}, ${names.of(code) ?? code}`]),
)

export const isCurrency = (code: string): boolean => Object.hasOwn(CURRENCIES, code)
