import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { IMPORT_TABS, type ImportTab } from '#contract/imports.ts'
import { useSearchParams } from '#web/search-params.ts'

/** What a person set on the import screen: which import, the sheet or the preview, and the tab of the preview. */
export const ImportSearch = z.object({
  import: z.uuid().optional().catch(undefined),
  view: z.enum(['sheet', 'preview']).default('sheet').catch('sheet'),
  tab: z.enum(IMPORT_TABS).default('add').catch('add'),
})

export interface ImportAddress {
  id: string | undefined
  view: 'sheet' | 'preview'
  tab: ImportTab
  go: (change: { import?: string | undefined; view?: 'sheet' | 'preview'; tab?: ImportTab }) => void
}

export function useImportAddress(): ImportAddress {
  const { import: id, view, tab } = ImportSearch.parse(useSearchParams())
  const navigate = useNavigate()
  return {
    id,
    view,
    tab,
    go: (change) => {
      const next = { import: id, view, tab, ...change }
      void navigate({ to: '.', search: next, resetScroll: false })
    },
  }
}
