import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { PAGE_SIZE } from '#contract/limits.ts'
import { useSession } from '#web/data/session.ts'
import { readListState } from '#web/engines/datatable/list-address.ts'
import { useSearchParams } from '#web/search-params.ts'

/**
 * Shows the page of the list that has the opened document, when it is opened by its address or as the next one of the last row. Only once for
 * each document: afterwards, users can go to other pages.
 */
export function useListPage(file: { id: string; position: number } | undefined): void {
  const params = useSearchParams()
  const { settings } = useSession()
  const navigate = useNavigate()
  const followed = useRef<string>(undefined)
  const { page, perPage } = readListState(params)
  const rows = perPage ?? settings.datatable.account_files?.perPage ?? PAGE_SIZE
  // Positions do not count documents in the trash.
  const isCounted = file !== undefined && file.position > 0 && params['filter__trashed'] === undefined
  const shown = isCounted ? Math.ceil(file.position / rows) : page
  const id = file?.id
  useEffect(() => {
    if (id === undefined || followed.current === id) return
    followed.current = id
    if (shown === page) return
    const search = (current: object) => ({ ...current, page: shown === 1 ? undefined : shown })
    void navigate({ to: '.', search, replace: true, resetScroll: false })
  }, [id, shown, page, navigate])
}
