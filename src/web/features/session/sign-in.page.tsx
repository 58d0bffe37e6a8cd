import { Anchor, Checkbox, Group, TextInput } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { EMAIL_BLANK, PASSWORD_BLANK } from '#contract/session.ts'
import { needsSso } from '#web/data/errors.ts'
import { signIn } from '#web/data/session.ts'
import { tokenStore } from '#web/data/tokens.ts'
import { PublicPage } from '#web/engines/public-page.tsx'
import { paths, returnPath } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { useStore } from '#web/ui/store.ts'
import { Password, PublicForm, usePublicForm } from '#web/engines/public-form.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { SecondFactor } from './second-factor.tsx'

/**
 * The sign-in form; the second factor replaces it until the code is accepted or the user goes back. Leads to the dashboard,
 * or to the path of this application in the parameter `r`.
 */
export function SignInPage() {
  const challenged = useStore(tokenStore)?.challenge ?? false
  const router = useRouter()
  const wanted = useSearchParams()['r']
  const enter = () => router.history.replace(returnPath(wanted) ?? paths.dashboard())
  return challenged ? <SecondFactor onSignedIn={enter} /> : <SignInForm onSignedIn={enter} returnTo={returnPath(wanted)} />
}

interface SignInFormProps {
  onSignedIn: () => void
  returnTo: string | undefined
}

function SignInForm({ onSignedIn, returnTo }: SignInFormProps) {
  const [remember, setRemember] = useState(false)
  const { values, error, field, form } = usePublicForm({
    initial: { email: '', password: '' },
    secrets: ['password'],
    check: ({ email, password }) => ({ email: email.trim() === '' && EMAIL_BLANK, password: password === '' && PASSWORD_BLANK }),
    send: async ({ email, password }) => {
      if ((await signIn(email.trim(), password, remember)) === 'signed-in') onSignedIn()
    },
  })
  // With the email, which need not be typed again.
  const sso = paths.sso(returnTo, values.email.trim())
  return (
    <PublicPage title="Sign in">
      <PublicForm
        form={form}
        submitLabel="Sign in"
        remedy={
          needsSso(error) && (
            <Anchor component={Link} to={sso} size="sm" display="block" mt={4}>
              Continue with single sign-on
            </Anchor>
          )
        }
        footer={
          <>
            <PasskeyButton remember={remember} onSignedIn={onSignedIn} ssoPath={sso} />
            <Anchor component={Link} to={sso} size="sm" ta="center">
              Single sign-on
            </Anchor>
          </>
        }
      >
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
