import { Button, Modal } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useState } from 'react'
import { formatAgo, formatNumber, plural } from '#contract/format.ts'
import type { DataOf } from '#contract/route.ts'
import { VISIT_STATES, sharingCalls } from '#contract/sharing.ts'
import { apiFile } from '#web/data/client.ts'
import { grantQueries } from '#web/data/grant-queries.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { saveBlob } from '#web/ui/download.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { useNow } from '#web/ui/use-now.ts'
import classes from './invites.module.css'
import { VisitsOf } from './visits-of.tsx'

type Grant = DataOf<typeof sharingCalls.visits>[number]

/** Who saw what of an account: one line for each invitation and link. */
export function Visits({ accountId }: { accountId: string }) {
  const query = useQuery(grantQueries.visits(accountId))
  const [shown, setShown] = useState<Grant | null>(null)
  const hasVisits = query.data?.some(({ last_at: last }) => last !== null) === true
  return (
    <TitledSection title="Who saw what" level={2} action={hasVisits && <ExportButton accountId={accountId} />}>
      <Loaded query={query} skeleton={<SkeletonRows rows={3} label="Loading who saw what" />}>
        {(grants) =>
          grants.length === 0 ? (
            <p className={classes['muted']}>Visits appear here once you invite people or share a link.</p>
          ) : (
            <VisitTable grants={grants} onOpen={setShown} />
          )
        }
      </Loaded>
      {shown !== null && (
        <Modal opened onClose={() => setShown(null)} title={`Visits of ${shown.name}`} size="lg">
          <VisitsOf accountId={accountId} grantId={shown.id} />
        </Modal>
      )}
    </TitledSection>
  )
}

function ExportButton({ accountId }: { accountId: string }) {
  const saving = useMutation({
    mutationFn: () => apiFile(sharingCalls.exportVisits, { params: { id: accountId } }),
    onSuccess: ({ blob, fileName = 'visits.csv' }) => saveBlob(blob, fileName),
    onError: (error) => showError(error),
  })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      Export (CSV)
    </Button>
  )
}

const HEADINGS = ['Invitation or link', 'State', 'Visits', 'Viewed', 'Downloaded', 'Last visit', 'Changed since']
const NUMBERS = ['Visits', 'Viewed', 'Downloaded']

const VisitTable = ({ grants, onOpen }: { grants: readonly Grant[]; onOpen: (grant: Grant) => void }) => (
  <table className={classes['visits']}>
    <thead>
      <tr>
        {HEADINGS.map((heading) => (
          <th key={heading} data-number={NUMBERS.includes(heading) || undefined}>
            {heading}
          </th>
        ))}
        <th>
          <span className="visually-hidden">Visits one by one</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {grants.map((grant) => (
        <VisitRow key={grant.id} grant={grant} onOpen={() => onOpen(grant)} />
      ))}
    </tbody>
  </table>
)

const changesOf = (count: number | null): string => (count === null ? '–' : count === 0 ? 'Nothing' : plural(count, 'record'))

function VisitRow({ grant, onOpen }: { grant: Grant; onOpen: () => void }) {
  const { timezone } = useSession().auth_user.company
  const now = useNow()
  const { name, state, opened, viewed, downloaded, last_at: last, ended_at: end, changed_since: changed } = grant
  return (
    <tr>
      <td>
        <b>{name}</b>
      </td>
      <td data-label="State">
        {VISIT_STATES[state]}
        {end !== null && (
          <>
            , ended <DateText iso={end} zone={timezone} />
          </>
        )}
      </td>
      <td data-label="Visits" data-number>
        {formatNumber(opened)}
      </td>
      <td data-label="Viewed" data-number>
        {formatNumber(viewed)}
      </td>
      <td data-label="Downloaded" data-number>
        {formatNumber(downloaded)}
      </td>
      <td data-label="Last visit">
        {last === null ? (
          '–'
        ) : (
          <DateText iso={last} zone={timezone}>
            {formatAgo(last, timezone, now)}
          </DateText>
        )}
      </td>
      <td data-label="Changed since">{changesOf(changed)}</td>
      <td>
        {last !== null && (
          <Button variant="default" size="compact-sm" aria-label={`Show the visits of ${name}`} onClick={onOpen}>
            Show visits
          </Button>
        )}
      </td>
    </tr>
  )
}
