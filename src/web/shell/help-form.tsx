import { Button, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { HELP_MESSAGE_MAX } from '#contract/limits.ts'
import { helpCalls } from '#contract/help.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { useIsWithdrawn, useSession } from '#web/data/session.ts'
import { showError } from '#web/engines/show-error.ts'
import classes from './heading-bar.module.css'

const EMPTY = 'Please describe the problem.'

/** Reports a problem together with the page that the user is on. */
export function HelpForm() {
  const { auth_user, accessible_features } = useSession()
  const { pathname, searchStr } = useLocation()
  const withdrawn = useIsWithdrawn(helpCalls.send)
  const [message, setMessage] = useState('')
  const [error, setError] = useState('')
  const sending = useMutation({
    mutationFn: () => {
      const init = { roles: auth_user.roles.map(({ name }) => name), permissions: Object.values(accessible_features).flat() }
      return api(helpCalls.send, { body: { message, url: window.location.href, state: { init, route: pathname, search: searchStr } } })
    },
    onSuccess: () => setMessage(''),
    onError: (failure) => {
      const field = isApiError(failure) ? firstMessages(failure)['message'] : undefined
      if (field === undefined) showError(failure)
      else setError(field)
    },
  })
  const send = () => {
    if (message.trim() === '') return setError(EMPTY)
    sending.mutate()
  }
  if (sending.isSuccess) return <p role="status">{sending.data.message}</p>
  return (
    <form
      className={classes['report']}
      noValidate
      aria-label="Report a problem"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Textarea
        label="Report a problem"
        placeholder="What did you do, and what happened?"
        autosize
        minRows={3}
        maxRows={8}
        maxLength={HELP_MESSAGE_MAX}
        value={message}
        error={error === '' ? undefined : error}
        data-autofocus
        onChange={(event) => {
          setMessage(event.currentTarget.value)
          setError('')
        }}
      />
      {withdrawn && <p role="alert">You can no longer send this.</p>}
      <Button type="submit" size="sm" disabled={withdrawn} loading={sending.isPending}>
        Send
      </Button>
    </form>
  )
}
