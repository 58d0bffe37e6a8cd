import { queryOptions } from '@tanstack/react-query'
import type { Call } from '#contract/route.ts'
import { api, type OptionsOf } from './client.ts'

/** The data of one call. */
export const callQuery = <C extends Call>(queryKey: readonly unknown[], call: C, ...[options]: OptionsOf<C>) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => (await api(call, ...([{ ...options, signal }] as unknown as OptionsOf<C>))).data, // the options with a signal
  })
