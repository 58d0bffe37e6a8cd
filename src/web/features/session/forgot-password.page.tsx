import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { EMAIL_BLANK, sessionCalls } from '#contract/session.ts'
import { api } from '#web/data/client.ts'
import { Notice } from '#web/ui/notice.tsx'
import { BackToLogin, PublicForm, PublicPage, usePublicForm } from './public-page.tsx'

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
