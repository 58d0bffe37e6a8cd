import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Id } from '#contract/route.ts'
import { sharingCalls } from '#contract/sharing.ts'
import { api } from '#web/data/client.ts'
import { beginGuest } from '#web/data/session.ts'
import { isSignedIn, isVisit } from '#web/data/tokens.ts'
import { showError } from '#web/engines/show-error.ts'
import { PublicPage } from '#web/engines/public-page.tsx'
import { paths } from '#web/paths.ts'
import { PendingScreen } from '#web/ui/pending-screen.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Password, PublicForm, usePublicForm } from '#web/engines/public-form.tsx'
import { EntryError } from './entry-error.tsx'

interface ShareEntryPageProps {
  account_id: string
  share_token: string
}

interface Proof {
  password?: string
  email?: string
  /** Absent: a new one is requested. */
  code?: string | undefined
}

const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

type Needs = 'password' | 'email' | 'code'

/** A user who is signed in confirms first, because the visit takes the place of their session in this tab. */
export function ShareEntryPage(link: ShareEntryPageProps) {
  const [asks, setAsks] = useState(() => isSignedIn() && !isVisit())
  return asks ? <AskFirst onOpen={() => setAsks(false)} /> : <OpenLink {...link} />
}

const AskFirst = ({ onOpen }: { onOpen: () => void }) => (
  <PublicPage
    title="You are signed in"
    lead="The link opens a shared account as a visitor. In this tab, the visit takes the place of your sign-in."
  >
    <Stack gap="xs">
      <Button size="md" onClick={onOpen}>
        Open the shared account
      </Button>
      <Button component={Link} to={paths.dashboard()} variant="default" size="md">
        Stay signed in
      </Button>
    </Stack>
  </PublicPage>
)

/** Opens the account at once, or shows a form for what protects the link. */
function OpenLink({ account_id: id, share_token }: ShareEntryPageProps) {
  const router = useRouter()
  const [needs, setNeeds] = useState<Needs | null>(null)
  // A malformed id is the id of no account: the answer says what is wrong with the link.
  const accountId = Id.safeParse(id).data ?? NO_ACCOUNT
  const proof = useRef<Proof>({})
  const redeem = async (more: Proof): Promise<Needs | null> => {
    proof.current = { ...proof.current, ...more }
    const { data, token, refresh_token } = await api(sharingCalls.redeem, {
      params: { id: accountId },
      body: { share_token, ...proof.current },
    })
    setNeeds(data.needs)
    if (token === null) return data.needs
    beginGuest({ token, refresh_token })
    // Not in the history: the secret is in the address of this page.
    router.history.replace(paths.account(data.account_id))
    return null
  }
  const [failure, setFailure] = useState<unknown>(null)
  const begin = useEffectEvent(() => redeem({}).catch(setFailure))
  // Not a query: it would be made again when the session begins, and open a second one.
  useEffect(() => {
    let left = false
    queueMicrotask(() => {
      if (!left) void begin()
    })
    return () => {
      left = true
    }
  }, [id, share_token])
  if (failure !== null) return <EntryError error={failure} />
  if (needs === 'password') return <PasswordForm onSend={redeem} />
  if (needs === 'email' || needs === 'code') return <CodeForm stage={needs} onSend={redeem} />
  return <PendingScreen>Opening the account…</PendingScreen>
}

type Send = (more: Proof) => Promise<Needs | null>

function PasswordForm({ onSend }: { onSend: Send }) {
  const { field, form } = usePublicForm({
    initial: { password: '' },
    secrets: ['password'],
    check: ({ password }) => ({ password: password === '' && 'Please enter the password of the link.' }),
    send: async ({ password }) => void (await onSend({ password })),
  })
  return (
    <PublicPage title="This link is protected" lead="Enter the password that you got from the sender of the link.">
      <PublicForm form={form} submitLabel="Open the account">
        <Password {...field('password')} label="Password" autoComplete="off" autoFocus />
      </PublicForm>
    </PublicPage>
  )
}

function CodeForm({ stage, onSend }: { stage: 'email' | 'code'; onSend: Send }) {
  return stage === 'email' ? <EmailForm onSend={onSend} /> : <EnterCode onSend={onSend} />
}

function EmailForm({ onSend }: { onSend: Send }) {
  const { field, form } = usePublicForm({
    initial: { email: '' },
    check: ({ email }) => ({ email: email.trim() === '' && 'Please enter your email.' }),
    send: async ({ email }) => void (await onSend({ email: email.trim() })),
  })
  return (
    <PublicPage title="This link is protected" lead="Enter your email. If it may open the link, a code is sent to it.">
      <PublicForm form={form} submitLabel="Continue">
        <TextInput {...field('email')} label="Email" type="email" autoComplete="email" autoFocus />
      </PublicForm>
    </PublicPage>
  )
}

function EnterCode({ onSend }: { onSend: Send }) {
  const { field, form, clear } = usePublicForm({
    initial: { code: '' },
    secrets: ['code'],
    check: ({ code }) => ({ code: code.trim() === '' && 'Please enter the code.' }),
    send: async ({ code }) => void (await onSend({ code: code.trim() })),
  })
  return (
    <PublicPage title="Check your email" lead="If this email may open the link, a code is on its way. Enter it here.">
      <PublicForm form={form} submitLabel="Open the account">
        <TextInput {...field('code')} label="Code" placeholder="000000" inputMode="numeric" autoComplete="one-time-code" autoFocus />
        <Resend onSend={onSend} onSent={clear} />
      </PublicForm>
    </PublicPage>
  )
}

const NEW_CODE = 'If this email may open the link, a new code is on its way.'

function Resend({ onSend, onSent }: { onSend: Send; onSent: () => void }) {
  const resend = useMutation({
    mutationFn: () => onSend({ code: undefined }),
    onSuccess: () => {
      onSent()
      toast.success(NEW_CODE)
    },
    onError: showError,
  })
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={resend.isPending}
      onClick={() => resend.mutate()}
      style={{ alignSelf: 'flex-start' }}
    >
      Send a new code
    </Button>
  )
}
