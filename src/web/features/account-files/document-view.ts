import { useNavigate } from '@tanstack/react-router'
import { useSearchParams } from '#web/search-params.ts'

/** Which documents are shown and by which of their names; both stand in the address. */
export function useDocumentView(vanityByDefault: boolean) {
  const params = useSearchParams()
  const navigate = useNavigate()
  const set = (change: Record<string, string | undefined>) => {
    const search = (current: Readonly<Record<string, unknown>>) => ({ ...current, page: undefined, ...change })
    void navigate({ to: '.', search: search, replace: true, resetScroll: false })
  }
  const names = params['names']
  return {
    sov: params['filter__sov'] === '1',
    descriptive: names === 'descriptive' || (names !== 'original' && vanityByDefault),
    setSov: (sov: boolean) => set({ filter__sov: sov ? '1' : undefined }),
    setDescriptive: (descriptive: boolean) => set({ names: descriptive ? 'descriptive' : 'original' }),
  }
}
