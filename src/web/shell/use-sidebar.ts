import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { SIDEBAR_COLLAPSE_PX } from '#contract/limits.ts'

/** Below this width the sidebar lies over the content and is opened from the heading bar, so that a phone keeps its whole width. */
const OVERLAY_BELOW_PX = 576

export type SidebarMode = 'open' | 'closed' | 'overlay'

/** Open or closed as chosen; without a choice closed on screens narrower than 768 px. */
export function useSidebar(): { mode: SidebarMode; toggle: () => void } {
  const [choice, setChoice] = useLocalStorage<'open' | 'closed' | 'none'>({
    key: 'plumbline.sidebar',
    defaultValue: 'none',
    getInitialValueInEffect: false,
  })
  const wide = useMediaQuery(`(min-width: ${SIDEBAR_COLLAPSE_PX}px)`, true, { getInitialValueInEffect: false })
  const roomy = useMediaQuery(`(min-width: ${OVERLAY_BELOW_PX}px)`, true, { getInitialValueInEffect: false })
  const chosen = choice === 'none' ? (wide ? 'open' : 'closed') : choice
  return { mode: roomy ? chosen : 'overlay', toggle: () => setChoice(chosen === 'open' ? 'closed' : 'open') }
}
