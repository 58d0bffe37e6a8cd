import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { queries } from '#web/data/queries.ts'

/** Loads again what a change of the sign-in changes: the other sign-ins end with it. */
export function useFactorsChanged(): () => void {
  const client = useQueryClient()
  return useCallback(() => {
    void client.invalidateQueries({ queryKey: queries.factors().queryKey })
    void client.invalidateQueries({ queryKey: queries.devices().queryKey })
  }, [client])
}
