import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { EMAIL_BLANK, sessionCalls } from '#contract/session.ts'
import { api } from '#web/data/client.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Entrance } from './entrance.tsx'
import { useSubmission } from './submission.ts'

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState<string>()
  const { busy, errors, notice, submit, clear } = useSubmission({
    check: () => (email.trim() === '' ? { email: EMAIL_BLANK } : {}),
    send: async () => {
      const { message } = await api(sessionCalls.recover, { body: { email: email.trim() } })
      setSent(message)
    },
  })
  return (
    <Entrance title="Recover your password" lead="We will email you a link to set a new password.">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {notice !== undefined && <Notice kind="error">{notice}</Notice>}
          {sent !== undefined && <Notice kind="info">{sent}</Notice>}
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
            value={email}
            error={errors['email']}
            onChange={(event) => {
              setEmail(event.currentTarget.value)
              clear('email')
            }}
          />
          <Button type="submit" size="md" loading={busy} fullWidth>
            Recover Password
          </Button>
          <Anchor component={Link} to={paths.login()} size="sm" ta="center">
            Back to Login
          </Anchor>
        </Stack>
      </form>
    </Entrance>
  )
}
