import { useMutation } from '@tanstack/react-query'
import { storeTokensIn, type StoredTokens } from '#web/data/tokens.ts'
import { paths } from '#web/paths.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'

interface Opened {
  accountId: string
  token: string | null
  refreshToken: string | null
}

/** Opens an account in a new tab, whose session is that of a person from outside. This tab keeps its own session. */
export function useGuestTab(guest: NonNullable<StoredTokens['guest']>, load: () => Promise<Opened>) {
  const { mutate, isPending } = useMutation({
    mutationFn: async (tab: Window) => {
      const { accountId, token, refreshToken } = await load()
      if (token === null) return tab.close()
      storeTokensIn(tab, { token, refreshToken, remember: false, challenge: false, guest })
      tab.location.replace(paths.account(accountId))
    },
    onError: (error, tab) => {
      tab.close()
      showError(error)
    },
  })
  const open = () => {
    // During the click, because browsers block windows that are opened later.
    const tab = window.open('about:blank', '_blank')
    if (tab === null) toast.warning('Your browser blocked the new tab. Allow pop-ups for this page and try again.')
    else mutate(tab)
  }
  return { open, isOpening: isPending }
}
