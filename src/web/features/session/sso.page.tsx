import { Button, Stack, TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { EMAIL_BLANK } from '#contract/session.ts'
import { messageOf } from '#web/data/errors.ts'
import { begunSignIn, findService, finishSignIn, type Service } from '#web/data/single-sign-on.ts'
import { BackToLogin, PublicForm, usePublicForm } from '#web/engines/public-form.tsx'
import { PublicPage } from '#web/engines/public-page.tsx'
import { paths, returnPath } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { Notice } from '#web/ui/notice.tsx'
import { PendingScreen } from '#web/ui/pending-screen.tsx'

/** Leads to the sign-in service of the user's company, which leads back here with a ticket behind the #. */
export function SsoPage() {
  const [ticket] = useState(() => window.location.hash.slice(1))
  return ticket === '' ? <FindService /> : <FinishSignIn ticket={ticket} />
}

const BUSY = 'Too many people are signing in at this moment. Please try again in a few minutes.'
const NO_SERVICE = 'There is no single sign-on for this email. Please sign in with your password.'

function FindService() {
  const { r, email, busy } = useSearchParams()
  const [begun] = useState(begunSignIn)
  const wanted = returnPath(r) ?? (busy === undefined ? undefined : returnPath(begun?.returnTo))
  const [found, setFound] = useState<{ service: Service | undefined }>()
  const { field, form } = usePublicForm({
    initial: { email: email ?? (busy === undefined ? undefined : begun?.email) ?? '' },
    check: ({ email }) => ({ email: email.trim() === '' && EMAIL_BLANK }),
    send: async ({ email }) => setFound({ service: await findService(email.trim(), wanted) }),
  })
  if (found?.service !== undefined) return <LeaveFor service={found.service} />
  return (
    <PublicPage title="Single sign-on" lead="Enter your email at work. You sign in at the service of your company.">
      <PublicForm form={form} submitLabel="Continue" footer={<BackToLogin />}>
        {busy !== undefined && <Notice kind="warning">{BUSY}</Notice>}
        {found !== undefined && <Notice kind="info">{NO_SERVICE}</Notice>}
        <TextInput {...field('email')} label="Email" type="email" autoComplete="username" autoFocus />
      </PublicForm>
    </PublicPage>
  )
}

const LeaveFor = ({ service }: { service: Service }) => (
  <PublicPage title="Single sign-on" lead={`Your email belongs to ${service.company}.`}>
    <Stack gap="md">
      <Button component="a" href={service.address} size="md" fullWidth autoFocus>
        Continue with {service.company}
      </Button>
      <BackToLogin />
    </Stack>
  </PublicPage>
)

function FinishSignIn({ ticket }: { ticket: string }) {
  const router = useRouter()
  const [failure, setFailure] = useState<unknown>(null)
  const finish = useEffectEvent(async () => {
    const wanted = await finishSignIn(ticket)
    // Not in the history: the ticket is in the address of this page.
    router.history.replace(returnPath(wanted) ?? paths.dashboard())
  })
  // Not a query: it would be made again when the session begins, and a ticket is good once.
  useEffect(() => {
    let left = false
    queueMicrotask(() => {
      if (!left) finish().catch(setFailure)
    })
    return () => {
      left = true
    }
  }, [ticket])
  const begun = begunSignIn()
  if (failure === null) return <PendingScreen>Signing in…</PendingScreen>
  return (
    <PublicPage title="Single sign-on">
      <Stack gap="md">
        <Notice kind="error">{messageOf(failure)}</Notice>
        {/* Not a link of the router: only a loaded page forgets the ticket in its address. */}
        <Button component="a" href={paths.sso(returnPath(begun?.returnTo), begun?.email)} size="md" fullWidth>
          Start again
        </Button>
        <BackToLogin />
      </Stack>
    </PublicPage>
  )
}
