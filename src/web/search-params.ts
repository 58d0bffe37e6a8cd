import { useSearch, type SearchSchemaInput } from '@tanstack/react-router'

/** The params of an address, all of them texts, as in `?filter__invites=1`. */
export type SearchParams = Readonly<Record<string, string>>

export const useSearchParams = (): SearchParams => useSearch({ from: '__root__' })

const hasText = (value: unknown) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** A link may give numbers and undefined; what is empty or has no text is left out. */
const texts = (params: Readonly<Record<string, unknown>>): SearchParams =>
  Object.fromEntries(Object.entries(params).flatMap(([name, value]) => (hasText(value) && value !== '' ? [[name, String(value)]] : [])))

export const validateSearch: (params: Readonly<Record<string, unknown>> & SearchSchemaInput) => SearchParams = texts

export const parseSearch = (search: string): SearchParams => Object.fromEntries(new URLSearchParams(search))

export function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams(texts(search)).toString()
  return text === '' ? '' : `?${text}`
}
