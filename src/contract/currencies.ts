import type { CodeList } from './code-lists.ts'

/** The ISO 4217 codes that the runtime has names for. */
export const CURRENCIES: CodeList = Object.fromEntries(Intl.supportedValuesOf('currency').map((code) => [code, code]))

export const isCurrency = (code: string): boolean => Object.hasOwn(CURRENCIES, code)
