import { Skeleton, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { TOAST_MS } from '#contract/limits.ts'
import { EMAIL_BLANK, RESET_LINK_INVALID, sessionCalls } from '#contract/session.ts'
import { api } from '#web/data/client.ts'
import { apiError, isApiError, messageOf } from '#web/data/errors.ts'
import { endSession } from '#web/data/session.ts'
import { PublicPage } from '#web/engines/public-page.tsx'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { BackToLogin, Password, PublicForm, usePublicForm } from '#web/engines/public-form.tsx'

export function ForgotPasswordPage() {
  const [sent, setSent] = useState<string>()
  const { field, form } = usePublicForm({
    initial: { email: '' },
    check: ({ email }) => ({ email: email.trim() === '' && EMAIL_BLANK }),
    send: async ({ email }) => setSent((await api(sessionCalls.recover, { body: { email: email.trim() } })).message),
  })
  return (
    <PublicPage title="Recover your password" lead="We will email you a link to set a new password.">
      <PublicForm form={form} submitLabel="Recover Password" footer={<BackToLogin />}>
        {sent !== undefined && <Notice kind="info">{sent}</Notice>}
        <TextInput {...field('email')} label="Email" type="email" autoComplete="username" autoFocus />
      </PublicForm>
    </PublicPage>
  )
}

const INCOMPLETE = apiError({ kind: 'invalid', message: 'This link is not complete. Please open the link in your email again.' })
/** The server has no address for a token that is too long. */
const messageOfLink = (error: unknown): string => (isApiError(error) && error.kind === 'not_found' ? RESET_LINK_INVALID : messageOf(error))
const NO_MATCH = 'The passwords you entered do not match'

/** The link is checked first; one that is no longer valid leads to the sign-in page with the server's message. */
export function ResetPasswordPage({ token }: { token?: string | undefined }) {
  const navigate = useNavigate()
  const { data: link, error } = useQuery({
    queryKey: ['password-reset', token],
    queryFn: async () => {
      if (token === undefined) throw INCOMPLETE
      return { token, email: (await api(sessionCalls.checkReset, { params: { token } })).data.email }
    },
    retry: false,
    staleTime: Infinity,
  })
  useEffect(() => {
    if (error === null) return
    toast.alert(messageOfLink(error), { id: 'password-reset' })
    void navigate({ to: paths.login(), replace: true })
  }, [error, navigate])
  return (
    <PublicPage title="Set a new password" lead={link && `For ${link.email}`}>
      {link === undefined ? (
        <Stack gap="md" aria-busy="true" aria-label="Checking the link">
          <Skeleton height={60} />
          <Skeleton height={60} />
        </Stack>
      ) : (
        <NewPasswordForm {...link} />
      )}
    </PublicPage>
  )
}

function NewPasswordForm({ email, token }: { email: string; token: string }) {
  const navigate = useNavigate()
  const { field, form } = usePublicForm({
    initial: { password: '', password_confirmation: '' },
    secrets: ['password', 'password_confirmation'],
    check: ({ password, password_confirmation: repeated }) => ({
      password: password === '' && 'Please enter a new password.',
      password_confirmation: repeated === '' ? 'Please repeat the password.' : password !== '' && password !== repeated && NO_MATCH,
    }),
    send: async (passwords) => {
      const { message } = await api(sessionCalls.reset, { body: { email, token, ...passwords } })
      endSession()
      toast.success(message, { ms: TOAST_MS.reset })
      void navigate({ to: paths.login(), replace: true })
    },
  })
  return (
    <PublicForm form={form} submitLabel="Set password" footer={<BackToLogin />}>
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <Password {...field('password')} label="New password" autoComplete="new-password" autoFocus />
      <Password {...field('password_confirmation')} label="Confirm new password" autoComplete="new-password" />
    </PublicForm>
  )
}
