import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { SIDEBAR_COLLAPSE_PX } from '#contract/limits.ts'

/** On narrower screens the sidebar covers the content and opens from the heading bar, which leaves a phone its whole width. */
const OVERLAY_BELOW_PX = 576

/** Open or closed as chosen; without a choice closed on screens narrower than 768 px. */
export function useSidebar(): { mode: 'open' | 'closed' | 'overlay'; toggle: () => void } {
  const [choice, setChoice] = useLocalStorage<'open' | 'closed'>({ key: 'plumbline.sidebar', getInitialValueInEffect: false })
  const wide = useMediaQuery(`(min-width: ${SIDEBAR_COLLAPSE_PX}px)`, true, { getInitialValueInEffect: false })
  const roomy = useMediaQuery(`(min-width: ${OVERLAY_BELOW_PX}px)`, true, { getInitialValueInEffect: false })
  const chosen = choice === 'open' || (choice !== 'closed' && wide) ? 'open' : 'closed'
  return { mode: roomy ? chosen : 'overlay', toggle: () => setChoice(chosen === 'open' ? 'closed' : 'open') }
}
