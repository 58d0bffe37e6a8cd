import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { sessionCalls } from '#contract/session.ts'
import { api } from '#web/data/client.ts'
import { messageOf } from '#web/data/errors.ts'
import { answerChallenge, endSession } from '#web/data/session.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import classes from './entrance.module.css'
import { Entrance } from './entrance.tsx'
import { useSubmission } from './submission.ts'

async function resend(): Promise<void> {
  try {
    const { message } = await api(sessionCalls.resendChallenge)
    toast.success(message)
  } catch (error) {
    toast.warning(messageOf(error))
  }
}

export function TwoFactorPage({ onSignedIn }: { onSignedIn: () => void }) {
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { busy, errors, notice, submit, clear } = useSubmission({
    check: () => (code.trim() === '' ? { code: 'Please enter the code.' } : {}),
    send: async () => {
      await answerChallenge(code.trim())
      onSignedIn()
    },
    onRefused: () => {
      setCode('')
      field.current?.focus()
    },
  })
  return (
    <Entrance title="Check your email" lead="We have sent you a code. Enter it here to finish signing in.">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {notice !== undefined && <Notice kind="error">{notice}</Notice>}
          <TextInput
            ref={field}
            className={classes['code'] ?? ''}
            label="Code"
            placeholder="000000"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            value={code}
            error={errors['code']}
            onChange={(event) => {
              setCode(event.currentTarget.value)
              clear('code')
            }}
          />
          <Button type="submit" size="md" loading={busy} fullWidth>
            Continue
          </Button>
          <Group justify="space-between">
            <Anchor component="button" type="button" size="sm" onClick={() => void resend()}>
              Resend Code
            </Anchor>
            <Anchor component="button" type="button" size="sm" onClick={endSession}>
              Back to login
            </Anchor>
          </Group>
        </Stack>
      </form>
    </Entrance>
  )
}
