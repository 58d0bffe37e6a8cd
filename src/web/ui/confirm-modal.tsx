import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnedFocus } from './use-returned-focus.ts'

export interface Question {
  title: string
  message: ReactNode
  /** The label of the button: the verb of the action. */
  confirm: string
  cancel?: string
  /** False when nothing is destroyed. */
  danger?: boolean
}
export type OpenQuestion = Question & { answer: (agreed: boolean) => void }

export function ConfirmModal({ title, message, confirm, cancel = 'Cancel', danger = true, answer }: OpenQuestion) {
  useReturnedFocus()
  return (
    <Modal opened onClose={() => answer(false)} title={title} zIndex={500}>
      <div>{message}</div>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => answer(false)} data-autofocus>
          {cancel}
        </Button>
        <Button {...(danger ? { color: 'brick' } : {})} onClick={() => answer(true)}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
