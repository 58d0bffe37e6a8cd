import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { TOAST_MS } from '#contract/limits.ts'
import { ToastText, type ToastAction } from './toast-text.tsx'

export interface ToastOptions {
  /** Overrides the time its kind stays, in ms; Infinity until it is dismissed. */
  ms?: number
  /** Offered beside the text, as Undo. */
  action?: ToastAction
  /** A toast of the same id is replaced instead of stacked. */
  id?: string
}

type Kind = 'info' | 'success' | 'warning' | 'alert' | 'global'
const COLORS = { info: 'slate', success: 'moss', warning: 'amber', alert: 'brick', global: 'slate' } as const satisfies Record<Kind, string>

function show(kind: Kind, message: string, { ms, action, id }: ToastOptions = {}): void {
  if (id !== undefined) notifications.hide(id)
  const shownId: string = notifications.show({
    ...(id === undefined ? {} : { id }),
    color: COLORS[kind],
    autoClose: ms === Infinity ? false : (ms ?? TOAST_MS[kind]),
    message: createElement(ToastText, { kind, message, action, hide: () => notifications.hide(shownId) }),
  })
}

/** The messages at the top of the screen; the times they stay are those of the specification. */
export const toast = {
  info: (message: string, options?: ToastOptions) => show('info', message, options),
  success: (message: string, options?: ToastOptions) => show('success', message, options),
  warning: (message: string, options?: ToastOptions) => show('warning', message, options),
  alert: (message: string, options?: ToastOptions) => show('alert', message, options),
  global: (message: string, options?: ToastOptions) => show('global', message, options),
} as const
