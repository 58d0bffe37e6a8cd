import { Anchor, Button, PasswordInput, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { TOAST_MS } from '#contract/limits.ts'
import { sessionCalls } from '#contract/session.ts'
import { api } from '#web/data/client.ts'
import { messageOf } from '#web/data/errors.ts'
import { endSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Entrance } from './entrance.tsx'
import { useSubmission } from './submission.ts'

const TOGGLE = { 'aria-label': 'Show or hide the password' }
const NO_MATCH = 'The passwords you entered do not match'

function missing(password: string, confirmation: string): Record<string, string> {
  const errors = {
    ...(password === '' ? { password: 'Please enter a new password.' } : {}),
    ...(confirmation === '' ? { password_confirmation: 'Please repeat the password.' } : {}),
  }
  return Object.keys(errors).length === 0 && password !== confirmation ? { password_confirmation: NO_MATCH } : errors
}

/** The link is checked on entry; one that is no longer good leads to the sign-in page with the server's words. */
export function ResetPasswordPage({ token }: { token?: string | undefined }) {
  const navigate = useNavigate()
  const checked = useQuery({
    queryKey: ['password-reset', token],
    queryFn: async () => (await api(sessionCalls.checkReset, { params: { token: token ?? '' } })).data,
    enabled: token !== undefined,
    retry: false,
    staleTime: Infinity,
  })
  const failure =
    token === undefined
      ? 'This link is not complete. Please open the link in your email again.'
      : checked.isError
        ? messageOf(checked.error)
        : undefined
  useEffect(() => {
    if (failure === undefined) return
    toast.alert(failure, { id: 'password-reset' })
    void navigate({ to: paths.login(), replace: true })
  }, [failure, navigate])
  return (
    <Entrance title="Set a new password" lead={checked.data === undefined ? undefined : `For ${checked.data.email}`}>
      {checked.data === undefined || token === undefined ? (
        <Stack gap="md" aria-busy="true" aria-label="Checking the link">
          <Skeleton height={60} />
          <Skeleton height={60} />
        </Stack>
      ) : (
        <NewPasswordForm email={checked.data.email} token={token} />
      )}
    </Entrance>
  )
}

function NewPasswordForm({ email, token }: { email: string; token: string }) {
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const first = useRef<HTMLInputElement>(null)
  const { busy, errors, notice, submit, clear } = useSubmission({
    check: () => missing(password, confirmation),
    send: async () => {
      const { message } = await api(sessionCalls.reset, { body: { email, token, password, password_confirmation: confirmation } })
      endSession()
      toast.success(message, { ms: TOAST_MS.reset })
      void navigate({ to: paths.login(), replace: true })
    },
    onRefused: () => {
      setPassword('')
      setConfirmation('')
      first.current?.focus()
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {notice !== undefined && <Notice kind="error">{notice}</Notice>}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordInput
          ref={first}
          label="New password"
          autoComplete="new-password"
          autoFocus
          value={password}
          error={errors['password']}
          visibilityToggleButtonProps={TOGGLE}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            clear('password')
          }}
        />
        <PasswordInput
          label="Confirm new password"
          autoComplete="new-password"
          value={confirmation}
          error={errors['password_confirmation']}
          visibilityToggleButtonProps={TOGGLE}
          onChange={(event) => {
            setConfirmation(event.currentTarget.value)
            clear('password_confirmation')
          }}
        />
        <Button type="submit" size="md" loading={busy} fullWidth>
          Set password
        </Button>
        <Anchor component={Link} to={paths.login()} size="sm" ta="center">
          Back to Login
        </Anchor>
      </Stack>
    </form>
  )
}
