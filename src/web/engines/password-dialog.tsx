import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode, type SubmitEvent } from 'react'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import { showError } from './show-error.ts'

interface PasswordDialogProps {
  title: string
  message: ReactNode
  /** The label of the button: the verb of the action. */
  confirm: string
  /** Whether something is removed. */
  danger?: boolean
  /** Fields above that of the password. */
  children?: ReactNode
  /** Returns false if nothing was done and the dialog stays open. */
  send: (password: string) => Promise<unknown>
  onClose: () => void
}

/** Requests the current password, which confirms a change of how a user signs in. */
export function PasswordDialog({ title, message, confirm, danger = false, children, send, onClose }: PasswordDialogProps) {
  useReturnedFocus()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(password),
    onSuccess: (done) => done !== false && onClose(),
    onError: (error) => {
      const wrong = isApiError(error) ? firstMessages(error)['current_password'] : undefined
      setProblem(wrong ?? null)
      if (wrong === undefined) showError(error)
      else setPassword('')
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (password === '') setProblem('Please enter your current password.')
    else if (!isPending) mutate()
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text size="sm">{message}</Text>
          {children}
          <PasswordInput
            label="Current Password"
            autoComplete="current-password"
            value={password}
            error={problem}
            onChange={(event) => {
              setPassword(event.currentTarget.value)
              setProblem(null)
            }}
            {...(children === undefined ? { 'data-autofocus': true } : {})}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} {...(danger ? { color: 'brick' } : {})}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
