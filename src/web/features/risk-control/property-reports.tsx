import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Property } from '#contract/account-properties.ts'
import { CHANNELS } from '#contract/events.ts'
import { plural } from '#contract/format.ts'
import type { RiskControlRow } from '#contract/risk-control.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan } from '#web/data/session.ts'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { paths } from '#web/paths.ts'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { DueMark } from './due-mark.tsx'
import classes from './report.module.css'

const MAX_REPORTS = '100'

/** The reports of a property with the state of their open recommendations; trashed ones for users who can restore them. */
export function PropertyReports({ property: { id, account_id: accountId } }: { property: Property }) {
  const can = useCan()
  return can('view_risk_control') ? <Reports accountId={accountId} propertyId={id} /> : null
}

function Reports({ accountId, propertyId }: { accountId: string; propertyId: string }) {
  const can = useCan()
  useChannel(CHANNELS.datatable('risk_control'))
  const trashed = can('delete_risk_control') ? { filter__trashed: 'with' } : {}
  const query = useQuery(
    queries.index('risk_control', { filter__account_id: accountId, filter__property_id: propertyId, paginate: MAX_REPORTS, ...trashed }),
  )
  return (
    <TitledSection
      title="Risk control"
      action={
        can('create_risk_control') && (
          <Button component={Link} to={paths.newReport(accountId, propertyId)} search={true} variant="default" size="xs">
            Add report
          </Button>
        )
      }
    >
      <PanelContent query={query}>
        {({ data: rows }) =>
          rows.length === 0 ? (
            <p className={classes['quiet']}>No risk control reports yet.</p>
          ) : (
            <ul className={classes['reports']}>
              {rows.map((row) => (
                <li key={row.id}>
                  <ReportLine row={row} />
                </li>
              ))}
            </ul>
          )
        }
      </PanelContent>
    </TitledSection>
  )
}

function ReportLine({ row }: { row: RiskControlRow }) {
  const { report_number: number, title, survey_date: date, status, overall_rating: rating, recommendations } = row
  const isLive = row.deleted_at === null
  return (
    <>
      <div className={classes['reportLine']}>
        <Link to={paths.report(row.account_id, row.property_id, row.id)} search={true}>
          {number.text} · {title.text}
        </Link>
        {isLive ? status.text !== '' && <StatusDot color={status.class ?? ''} name={status.text} /> : <span>In the trash</span>}
      </div>
      <div className={classes['reportFacts']}>
        <span>{`Surveyed ${date.text}${rating.text === '' ? '' : `, ${rating.text.toLowerCase()}`}`}</span>
        <span>{row.open === 0 ? recommendations.text : `${plural(row.open, 'recommendation')} open`}</span>
        {isLive && row.overdue > 0 && <DueMark due="overdue">{`${String(row.overdue)} overdue`}</DueMark>}
        {isLive && row.due > 0 && <DueMark due="due">{`${String(row.due)} due soon`}</DueMark>}
      </div>
    </>
  )
}
