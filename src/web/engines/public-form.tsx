import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState, type ChangeEvent, type ReactNode, type SubmitEvent } from 'react'
import { firstMessages, isApiError, messageOf, type ApiError } from '#web/data/errors.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { hideShellMessage } from './show-error.ts'

interface PublicFormOptions<N extends string> {
  initial: Record<N, string>
  /** Fields that are cleared when the server rejects the form; the first one is then focused. */
  secrets?: readonly NoInfer<N>[]
  /** Errors per field that prevent sending. */
  check: (values: Record<N, string>) => Partial<Record<N, string | false>>
  send: (values: Record<N, string>) => Promise<void>
}

/**
 * The state of a form on a public page. Errors of the server are shown at their fields, or in the notice without fields. A call
 * without an answer shows a toast. @mantine/form would add 5 KB to the sign-in page.
 */
export function usePublicForm<N extends string>({ initial, secrets = [], check, send }: PublicFormOptions<N>) {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Readonly<Record<string, string | false | undefined>>>({})
  const firstSecret = useRef<HTMLInputElement>(null)
  const set = (name: N, value: string) => setValues((before) => ({ ...before, [name]: value }))
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: send,
    onError: (failure) => {
      if (!isAnswer(failure)) return toast.alert(messageOf(failure))
      hideShellMessage(failure)
      setErrors(firstMessages(failure))
      for (const name of secrets) set(name, '')
      firstSecret.current?.focus()
    },
  })
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = check(values)
    setErrors(found)
    const [wrong] = Object.entries(found).flatMap(([name, message]) => (message ? [name] : []))
    if (wrong === undefined) return isPending ? undefined : mutate(values)
    event.currentTarget.querySelector<HTMLInputElement>(`input[name="${wrong}"]`)?.focus()
  }
  /** Empties the form and removes its errors. */
  const clear = () => {
    setValues(initial)
    setErrors({})
    reset()
  }
  /** The props of an input. */
  const field = (name: N) => ({
    ...(name === secrets[0] ? { ref: firstSecret } : {}),
    name,
    value: values[name],
    error: errors[name],
    // Password inputs of Mantine don't set it.
    'aria-invalid': Boolean(errors[name]),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      set(name, currentTarget.value)
      setErrors((before) => ({ ...before, [name]: undefined }))
    },
  })
  const notice = isAnswer(error) && Object.keys(error.fields).length === 0 ? error.message : undefined
  return { values, error, field, clear, form: { onSubmit, notice, busy: isPending } }
}

const isAnswer = (error: unknown): error is ApiError => isApiError(error) && error.status !== 0

interface PublicFormProps {
  form: ReturnType<typeof usePublicForm>['form']
  submitLabel: string
  /** A link below the error of the server, to where it can be solved. */
  remedy?: ReactNode
  /** The fields. */
  children: ReactNode
  /** Below the button. */
  footer?: ReactNode
}

export function PublicForm({ form: { onSubmit, notice, busy }, submitLabel, remedy, children, footer }: PublicFormProps) {
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {notice !== undefined && (
          <Notice kind="error">
            {notice}
            {remedy}
          </Notice>
        )}
        {children}
        <Button type="submit" size="md" loading={busy} fullWidth>
          {submitLabel}
        </Button>
        {footer}
      </Stack>
    </form>
  )
}

export const Password = PasswordInput.withProps({ visibilityToggleButtonProps: { 'aria-label': 'Show or hide the password' } })

export const BackToLogin = () => (
  <Anchor component={Link} to={paths.login()} size="sm" ta="center">
    Back to Login
  </Anchor>
)
