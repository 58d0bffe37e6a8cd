import { Anchor, Button, Checkbox, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { EMAIL_BLANK, PASSWORD_BLANK } from '#contract/session.ts'
import { signIn } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Entrance } from './entrance.tsx'
import { useSubmission } from './submission.ts'

interface Values {
  email: string
  password: string
  remember: boolean
}

function blankFields({ email, password }: Values): Record<string, string> {
  return {
    ...(email.trim() === '' ? { email: EMAIL_BLANK } : {}),
    ...(password === '' ? { password: PASSWORD_BLANK } : {}),
  }
}

export function SignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [values, setValues] = useState<Values>({ email: '', password: '', remember: false })
  const passwordField = useRef<HTMLInputElement>(null)
  const { busy, errors, notice, submit, clear } = useSubmission({
    check: () => blankFields(values),
    send: async () => {
      const result = await signIn(values.email.trim(), values.password, values.remember)
      if (result === 'signed-in') onSignedIn()
    },
    onRefused: () => {
      setValues((before) => ({ ...before, password: '' }))
      passwordField.current?.focus()
    },
  })
  const change = (part: Partial<Values>, field: string) => {
    setValues((before) => ({ ...before, ...part }))
    clear(field)
  }
  return (
    <Entrance title="Sign in">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {notice !== undefined && <Notice kind="error">{notice}</Notice>}
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
            value={values.email}
            error={errors['email']}
            onChange={(event) => change({ email: event.currentTarget.value }, 'email')}
          />
          <PasswordInput
            ref={passwordField}
            label="Password"
            autoComplete="current-password"
            value={values.password}
            error={errors['password']}
            onChange={(event) => change({ password: event.currentTarget.value }, 'password')}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          />
          <Group justify="space-between">
            <Checkbox
              label="Remember me"
              checked={values.remember}
              onChange={(event) => change({ remember: event.currentTarget.checked }, 'remember')}
            />
            <Anchor component={Link} to={paths.forgotPassword()} size="sm">
              Forgot Password
            </Anchor>
          </Group>
          <Button type="submit" size="md" loading={busy} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
    </Entrance>
  )
}
