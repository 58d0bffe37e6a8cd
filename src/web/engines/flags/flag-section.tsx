import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { CHANNELS } from '#contract/events.ts'
import { formatNumber } from '#contract/format.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan } from '#web/data/session.ts'
import { Loaded } from '../loaded.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { FlagForm } from './flag-form.tsx'
import { FlagItems } from './flag-item.tsx'
import type { FlaggedRecord } from './flagged-record.ts'
import classes from './flags.module.css'

interface FlagSectionProps {
  record: FlaggedRecord
  /** Why the record cannot be flagged now. */
  notNow?: string | undefined
}

/** The flags of one record, open ones first, and a form for a new one; nothing without the permission to manage flags. */
export function FlagSection(props: FlagSectionProps) {
  return useCan()('manage_flags') ? <Section {...props} /> : null
}

function Section({ record, notNow }: FlagSectionProps) {
  useChannel(CHANNELS.datatable('flags'))
  const query = useQuery(queries.flags(record.type, record.id))
  const [raising, setRaising] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasRaising = useRef(false)
  // After the render that shows the button again.
  useEffect(() => {
    if (wasRaising.current && !raising) opener.current?.focus({ preventScroll: true })
    wasRaising.current = raising
  }, [raising])
  return (
    <TitledSection
      title="Flags"
      action={
        !raising &&
        notNow === undefined && (
          <Button ref={opener} variant="default" size="xs" onClick={() => setRaising(true)}>
            Raise a flag
          </Button>
        )
      }
    >
      {raising && <FlagForm record={record} onClose={() => setRaising(false)} />}
      <Loaded query={query} skeleton={<SkeletonRows rows={2} label="Loading the flags" />}>
        {({ data, meta }) => {
          const open = data.filter(({ flag }) => flag.closed_at === null)
          const closed = data.filter(({ flag }) => flag.closed_at !== null)
          return (
            <>
              {data.length === 0 && !raising && <p className={classes['quiet']}>{notNow ?? 'Nothing is flagged here.'}</p>}
              <FlagItems flags={open.map(({ flag }) => flag)} />
              {closed.length > 0 && (
                <details className={classes['closed']}>
                  <summary>{formatNumber(meta.total - open.length)} closed</summary>
                  <FlagItems flags={closed.map(({ flag }) => flag)} />
                </details>
              )}
            </>
          )
        }}
      </Loaded>
    </TitledSection>
  )
}
