import { useRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { onTokensChanged, tokens } from '#web/data/tokens.ts'
import { paths, returnPath } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { SignInForm } from './sign-in-form.tsx'
import { TwoFactorPage } from './two-factor.page.tsx'

const isChallenged = () => tokens()?.challenge ?? false

/**
 * Sign-in; the second factor takes its place until the code is accepted or the person goes back. Leads to the dashboard,
 * or to the path of this application that stands in `r`.
 */
export function SignInPage() {
  const challenged = useSyncExternalStore(onTokensChanged, isChallenged)
  const router = useRouter()
  const wanted = useSearchParams()['r']
  const enter = () => router.history.replace(returnPath(wanted) ?? paths.dashboard())
  return challenged ? <TwoFactorPage onSignedIn={enter} /> : <SignInForm onSignedIn={enter} />
}
