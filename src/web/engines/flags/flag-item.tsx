import { Button } from '@mantine/core'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import IconFlagFilled from '@tabler/icons-react/dist/esm/icons/IconFlagFilled.mjs'
import { useState } from 'react'
import { ALL_FLAG_REASONS, FLAG_STATUSES, type Flag } from '#contract/flags.ts'
import { formatAgo, formatDate } from '#contract/format.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { useSession } from '#web/data/session.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { FlagEdit } from './flag-edit.tsx'
import { FlagButtons, FlagText } from './flag-fields.tsx'
import { useFirstField, useFlagUpdate } from './flagged-record.ts'
import classes from './flags.module.css'

type Closing = 'resolved' | 'dismissed'

/** Flags, each with what its user can do with it. */
export const FlagItems = ({ flags }: { flags: readonly Flag[] }) => (
  <ul className={classes['flags']}>
    {flags.map((flag) => (
      <FlagItem key={flag.id} flag={flag} />
    ))}
  </ul>
)

function FlagItem({ flag }: { flag: Flag }) {
  const change = useFlagUpdate(flag)
  const [closing, setClosing] = useState<Closing | 'edit'>()
  const { acknowledge, close, reopen, update } = flag.accessible_features
  const Icon = flag.closed_at === null ? IconFlagFilled : IconFlag
  return (
    <li data-priority={flag.priority} data-closed={flag.closed_at !== null || undefined}>
      <Icon size={16} aria-hidden />
      <div className={classes['flag']}>
        <p className={classes['title']}>
          <strong>{ALL_FLAG_REASONS[flag.reason]}</strong>
          <span>{[FLAG_STATUSES[flag.status], flag.priority === 'high' && 'High priority'].filter(Boolean).join(', ')}</span>
        </p>
        <p className={classes['message']}>{flag.message}</p>
        {flag.resolution !== null && <p className={classes['message']}>{flag.resolution}</p>}
        <Facts flag={flag} />
        {closing === 'edit' && <FlagEdit flag={flag} onClose={() => setClosing(undefined)} />}
        {(closing === 'resolved' || closing === 'dismissed') && (
          <ClosingForm key={closing} flag={flag} status={closing} onClose={() => setClosing(undefined)} />
        )}
        {closing === undefined && (
          <div className={classes['buttons']}>
            {acknowledge && <Small onClick={() => change.mutate({ status: 'acknowledged' })}>Acknowledge</Small>}
            {close && <Small onClick={() => setClosing('resolved')}>Resolve</Small>}
            {close && <Small onClick={() => setClosing('dismissed')}>Dismiss</Small>}
            {update && <Small onClick={() => setClosing('edit')}>Edit</Small>}
            {reopen && <Small onClick={() => change.mutate({ status: 'open' })}>Reopen</Small>}
          </div>
        )}
      </div>
    </li>
  )
}

const Small = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <Button variant="default" size="compact-sm" onClick={onClick}>
    {children}
  </Button>
)

/** Who raised it, who has it, until when, and who closed it. */
function Facts({ flag }: { flag: Flag }) {
  const { auth_user, config } = useSession()
  const { timezone } = auth_user.company
  const now = useNow()
  const system = config.product
  const by = flag.source === 'system' ? system : (flag.raised_by?.full_name ?? 'a former user')
  return (
    <p className={classes['facts']}>
      <span>
        Raised by {by}{' '}
        <DateText iso={flag.raised_at} zone={timezone}>
          {formatAgo(flag.raised_at, timezone, now)}
        </DateText>
      </span>
      {flag.assigned_to !== null && <span>assigned to {flag.assigned_to.full_name}</span>}
      {flag.due_on !== null && <span>due {formatDate(flag.due_on, 'UTC')}</span>}
      {flag.closed_at !== null && (
        <span>
          closed by {flag.closed_by?.full_name ?? system}{' '}
          <DateText iso={flag.closed_at} zone={timezone}>
            {formatAgo(flag.closed_at, timezone, now)}
          </DateText>
        </span>
      )}
    </p>
  )
}

const QUESTIONS: Readonly<Record<Closing, { label: string; button: string }>> = {
  resolved: { label: 'How was it resolved?', button: 'Resolve flag' },
  dismissed: { label: 'Why is it dismissed?', button: 'Dismiss flag' },
}

function ClosingForm({ flag, status, onClose }: { flag: Flag; status: Closing; onClose: () => void }) {
  const first = useFirstField()
  const [resolution, setResolution] = useState('')
  const update = useFlagUpdate(flag)
  const { label, button } = QUESTIONS[status]
  const error = isApiError(update.error) ? firstMessages(update.error)['resolution'] : undefined
  return (
    <form
      className={classes['form']}
      noValidate
      aria-label={button}
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({ status, resolution }, { onSuccess: onClose })
      }}
    >
      <FlagText label={label} ref={first} value={resolution} error={error} onChange={(event) => setResolution(event.currentTarget.value)} />
      <FlagButtons submit={button} isPending={update.isPending} onCancel={onClose} />
    </form>
  )
}
