import { Anchor, Checkbox, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { EMAIL_BLANK, PASSWORD_BLANK, sessionCalls } from '#contract/session.ts'
import { api } from '#web/data/client.ts'
import { messageOf } from '#web/data/errors.ts'
import { answerChallenge, endSession, signIn } from '#web/data/session.ts'
import { tokenStore } from '#web/data/tokens.ts'
import { PublicPage } from '#web/engines/public-page.tsx'
import { paths, returnPath } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { useStore } from '#web/ui/store.ts'
import { toast } from '#web/ui/toast.tsx'
import { Password, PublicForm, usePublicForm } from '#web/engines/public-form.tsx'
import classes from './sign-in.module.css'

/**
 * The sign-in form; the second factor replaces it until the code is accepted or the user goes back. Leads to the dashboard,
 * or to the path of this application in the parameter `r`.
 */
export function SignInPage() {
  const challenged = useStore(tokenStore)?.challenge ?? false
  const router = useRouter()
  const wanted = useSearchParams()['r']
  const enter = () => router.history.replace(returnPath(wanted) ?? paths.dashboard())
  return challenged ? <SecondFactor onSignedIn={enter} /> : <SignInForm onSignedIn={enter} />
}

function SignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [remember, setRemember] = useState(false)
  const { field, form } = usePublicForm({
    initial: { email: '', password: '' },
    secrets: ['password'],
    check: ({ email, password }) => ({ email: email.trim() === '' && EMAIL_BLANK, password: password === '' && PASSWORD_BLANK }),
    send: async ({ email, password }) => {
      if ((await signIn(email.trim(), password, remember)) === 'signed-in') onSignedIn()
    },
  })
  return (
    <PublicPage title="Sign in">
      <PublicForm form={form} submitLabel="Sign in">
        <TextInput {...field('email')} label="Email" type="email" autoComplete="username" autoFocus />
        <Password {...field('password')} label="Password" autoComplete="current-password" />
        <Group justify="space-between">
          <Checkbox label="Remember me" checked={remember} onChange={(event) => setRemember(event.currentTarget.checked)} />
          <Anchor component={Link} to={paths.forgotPassword()} size="sm">
            Forgot Password
          </Anchor>
        </Group>
      </PublicForm>
    </PublicPage>
  )
}

function SecondFactor({ onSignedIn }: { onSignedIn: () => void }) {
  const resend = useMutation({
    mutationFn: () => api(sessionCalls.resendChallenge),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.warning(messageOf(error)),
  })
  const { field, form } = usePublicForm({
    initial: { code: '' },
    secrets: ['code'],
    check: ({ code }) => ({ code: code.trim() === '' && 'Please enter the code.' }),
    send: async ({ code }) => {
      await answerChallenge(code.trim())
      onSignedIn()
    },
  })
  const footer = (
    <Group justify="space-between">
      <Anchor component="button" type="button" size="sm" onClick={() => resend.mutate()}>
        Resend Code
      </Anchor>
      <Anchor component="button" type="button" size="sm" onClick={() => endSession()}>
        Back to login
      </Anchor>
    </Group>
  )
  return (
    <PublicPage title="Check your email" lead="We have sent you a code. Enter it here to finish signing in.">
      <PublicForm form={form} submitLabel="Continue" footer={footer}>
        <TextInput
          {...field('code')}
          className={classes['code'] ?? ''}
          label="Code"
          placeholder="000000"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
      </PublicForm>
    </PublicPage>
  )
}
