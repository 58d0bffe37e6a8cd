import { Anchor, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionCalls, type ChallengeMethod } from '#contract/session.ts'
import { api } from '#web/data/client.ts'
import { answerChallenge, endSession, productName } from '#web/data/session.ts'
import { tokens } from '#web/data/tokens.ts'
import { PublicForm, usePublicForm } from '#web/engines/public-form.tsx'
import { PublicPage } from '#web/engines/public-page.tsx'
import { showError } from '#web/engines/show-error.ts'
import { toast } from '#web/ui/toast.tsx'
import classes from './sign-in.module.css'

interface Words {
  title: string
  lead: string
  label: string
  placeholder: string
  /** The link that chooses this method. */
  choose: string
}

const words = (method: ChallengeMethod): Words =>
  ({
    email: {
      title: 'Check your email',
      lead: 'We have sent you a code. Enter it here to finish signing in.',
      label: 'Code',
      placeholder: '000000',
      choose: 'Send a code by email',
    },
    totp: {
      title: 'Enter your code',
      lead: `Open your authenticator app and enter the code for ${productName()}.`,
      label: 'Code',
      placeholder: '000000',
      choose: 'Use the authenticator app',
    },
    recovery_code: {
      title: 'Use a recovery code',
      lead: 'Enter one of the codes that you got when you set up the authenticator app. Each works once.',
      label: 'Recovery code',
      placeholder: 'xxxx-xxxx',
      choose: 'Use a recovery code',
    },
  })[method]

/** Asks for a code by the method of the sign-in, or another one that the user chooses, until it is accepted. */
export function SecondFactor({ onSignedIn }: { onSignedIn: () => void }) {
  const [challenge] = useState(tokens)
  const first = challenge?.method ?? 'email'
  const [method, setMethod] = useState(first)
  const [sent, setSent] = useState(0)
  const resend = useMutation({
    mutationFn: () => api(sessionCalls.resendChallenge),
    onSuccess: ({ message }) => {
      toast.success(message)
      setSent((before) => before + 1)
    },
    onError: (error) => showError(error),
  })
  const choose = (next: ChallengeMethod) => {
    if (next === 'email') resend.mutate()
    setMethod(next)
  }
  const others = [first, ...(challenge?.alternatives ?? [])].filter((one) => one !== method)
  return (
    <PublicPage title={words(method).title} lead={words(method).lead}>
      <CodeForm
        // What was said about the previous code is not true of the new one.
        key={`${method} ${String(sent)}`}
        method={method}
        onSignedIn={onSignedIn}
        choices={[
          ...(method === 'email' ? [{ label: 'Resend Code', onChoose: () => resend.mutate() }] : []),
          ...others.map((one) => ({ label: words(one).choose, onChoose: () => choose(one) })),
          { label: 'Back to login', onChoose: () => endSession() },
        ]}
      />
    </PublicPage>
  )
}

interface CodeFormProps {
  method: ChallengeMethod
  choices: { label: string; onChoose: () => void }[]
  onSignedIn: () => void
}

function CodeForm({ method, choices, onSignedIn }: CodeFormProps) {
  const isRecovery = method === 'recovery_code'
  const { field, form } = usePublicForm({
    initial: { code: '' },
    secrets: ['code'],
    check: ({ code }) => ({ code: code.trim() === '' && 'Please enter the code.' }),
    send: async ({ code }) => {
      await answerChallenge(code.trim(), method === 'email' ? undefined : method)
      onSignedIn()
    },
  })
  const footer = (
    <Group justify="space-between">
      {choices.map(({ label, onChoose }) => (
        <Anchor key={label} component="button" type="button" size="sm" onClick={onChoose}>
          {label}
        </Anchor>
      ))}
    </Group>
  )
  return (
    <PublicForm form={form} submitLabel="Continue" footer={footer}>
      <TextInput
        {...field('code')}
        className={classes['code'] ?? ''}
        label={words(method).label}
        placeholder={words(method).placeholder}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        {...(isRecovery ? { autoCapitalize: 'none', spellCheck: false } : {})}
        autoFocus
      />
    </PublicForm>
  )
}
