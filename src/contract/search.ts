import { z } from 'zod'
import { SEARCH_GROUP_SIZE, SEARCH_MAX_CHARACTERS } from './limits.ts'
import type { PermissionName } from './permissions.ts'
import { Id, Whole, call, jsonWith, text } from './route.ts'

/** A found record, as global search and search fields show it. */
export const Found = z.object({ id: Id, name: z.string(), detail: z.string(), account_id: z.string().nullable() })
export type Found = z.output<typeof Found>

export const SearchQuery = z.strictObject({
  search: text(SEARCH_MAX_CHARACTERS).default(''),
  paginate: Whole(1, 100).default(SEARCH_GROUP_SIZE),
})
/** For records that belong to an account. */
export const SearchInAccountQuery = SearchQuery.extend({ filter__account_id: Id.optional() })
export type SearchInAccountQuery = z.output<typeof SearchInAccountQuery>

/**
 * The words that were searched, to be highlighted in names and details: parts of words, or whole words between spaces. Both as letters
 * without accents in lower case.
 */
const Matched = z.object({ matched: z.array(z.string()).optional() })

/** Global search and search fields of one model. */
export const searchCall = <const M extends string, const P extends PermissionName>(model: M, can: P) =>
  call('GET', `/${model}/search`, can, `Find ${model}; nothing found answers 404`, {
    query: SearchQuery,
    output: jsonWith(z.array(Found), Matched),
  })
/** For a model whose records belong to an account. */
export const searchInAccountCall = <const M extends string, const P extends PermissionName>(model: M, can: P) => ({
  ...searchCall(model, can),
  query: SearchInAccountQuery,
})
