import { Button, Group } from '@mantine/core'

export interface ToastAction {
  label: string
  onClick: () => void
}

interface ToastTextProps {
  kind: 'info' | 'success' | 'warning' | 'alert' | 'global'
  message: string
  action: ToastAction | undefined
  hide: () => void
}

const SPOKEN = { info: '', global: '', success: 'Done: ', warning: 'Warning: ', alert: 'Problem: ' } as const

/** The kind is said as well as coloured. */
export function ToastText({ kind, message, action, hide }: ToastTextProps) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="md">
      <span>
        <span className="visually-hidden">{SPOKEN[kind]}</span>
        {message}
      </span>
      {action !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            hide()
            action.onClick()
          }}
        >
          {action.label}
        </Button>
      )}
    </Group>
  )
}
