import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { TOAST_MS } from '#contract/limits.ts'

interface ToastOptions {
  /** How long the toast is shown, in ms, instead of the default of its kind. Infinity: until it is dismissed. */
  ms?: number
  /** A button next to the text, such as Undo. */
  action?: { label: string; onClick: () => void }
  /** Replaces a toast with the same id. */
  id?: string
}

/** Screen readers announce the kind, which is otherwise only a color. */
const KINDS = {
  info: { color: 'slate', announced: '' },
  success: { color: 'moss', announced: 'Done: ' },
  warning: { color: 'amber', announced: 'Warning: ' },
  alert: { color: 'brick', announced: 'Problem: ' },
  global: { color: 'slate', announced: '' },
} as const

/** Of the toasts that can be replaced: the id of the one on screen, which is new each time, so that the replacement has its full time. */
const shownIds = new Map<string, string>()

function hide(id: string): void {
  const shownId = shownIds.get(id)
  if (shownId !== undefined) notifications.hide(shownId)
  shownIds.delete(id)
}

const toastOf =
  (kind: keyof typeof KINDS) =>
  (message: string, { action, ms = TOAST_MS[action === undefined ? kind : 'withAction'], id: named }: ToastOptions = {}): void => {
    // The same message twice says no more than once. Each action is one of its own.
    const id = named ?? (action === undefined ? `${kind}: ${message}` : undefined)
    if (id !== undefined) hide(id)
    let used = false
    const shownId: string = notifications.show({
      color: KINDS[kind].color,
      autoClose: ms === Infinity ? false : ms,
      onClose: (closed) => {
        if (id !== undefined && shownIds.get(id) === closed.id) shownIds.delete(id)
      },
      message: (
        <Group justify="space-between" wrap="nowrap" gap="md">
          <span>
            <span className="visually-hidden">{KINDS[kind].announced}</span>
            {message}
          </span>
          {action !== undefined && (
            <Button
              size="compact-sm"
              variant="default"
              flex="none"
              onClick={() => {
                // The button can be clicked again while the toast disappears.
                if (used) return
                used = true
                notifications.hide(shownId)
                action.onClick()
              }}
            >
              {action.label}
            </Button>
          )}
        </Group>
      ),
    })
    if (id !== undefined) shownIds.set(id, shownId)
  }

/** Messages at the top of the screen. */
export const toast = {
  info: toastOf('info'),
  success: toastOf('success'),
  warning: toastOf('warning'),
  alert: toastOf('alert'),
  global: toastOf('global'),
  /** Closes the toast with this id before its time, because what it says is no longer so. */
  hide,
}
