import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'

export interface Question {
  title: string
  message: ReactNode
  /** The verb on the button, naming what it does. */
  confirm: string
  cancel?: string
  /** False for a question that destroys nothing. */
  danger?: boolean
}
export interface AskedQuestion extends Question {
  answer: (agreed: boolean) => void
}

export function ConfirmModal({ title, message, confirm, cancel = 'Cancel', danger = true, answer }: AskedQuestion) {
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
