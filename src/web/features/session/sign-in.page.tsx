import { Anchor, Checkbox, Group, PasswordInput, TextInput } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { EMAIL_BLANK, PASSWORD_BLANK, sessionCalls } from '#contract/session.ts'
import { api } from '#web/data/client.ts'
import { messageOf } from '#web/data/errors.ts'
import { answerChallenge, endSession, signIn } from '#web/data/session.ts'
import { onTokensChanged, tokens } from '#web/data/tokens.ts'
import { paths, returnPath } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { toast } from '#web/ui/toast.tsx'
import { PublicForm, PublicPage, usePublicForm } from './public-page.tsx'
import classes from './public-page.module.css'

const isChallenged = () => tokens()?.challenge ?? false

/**
 * The sign-in form; the second factor replaces it until the code is accepted or the user goes back. Leads to the dashboard,
 * or to the path of this application in the parameter `r`.
 */
export function SignInPage() {
  const challenged = useSyncExternalStore(onTokensChanged, isChallenged)
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
      const result = await signIn(email.trim(), password, remember)
      if (result === 'signed-in') onSignedIn()
    },
  })
  return (
    <PublicPage title="Sign in">
      <PublicForm form={form} submitLabel="Sign in">
        <TextInput {...field('email')} label="Email" type="email" autoComplete="username" autoFocus />
        <PasswordInput
          {...field('password')}
          label="Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        />
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

async function resend(): Promise<void> {
  try {
    const { message } = await api(sessionCalls.resendChallenge)
    toast.success(message)
  } catch (error) {
    toast.warning(messageOf(error))
  }
}

function SecondFactor({ onSignedIn }: { onSignedIn: () => void }) {
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
      <Anchor component="button" type="button" size="sm" onClick={() => void resend()}>
        Resend Code
      </Anchor>
      <Anchor component="button" type="button" size="sm" onClick={endSession}>
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
