import { Link } from '@tanstack/react-router'
import type { Property } from '#contract/account-properties.ts'
import { SEVERITIES, SEVERITY_LABELS, type CheckState } from '#contract/checks.ts'
import { formatDate, formatMoney } from '#contract/format.ts'
import { PROPERTY_FIELD_NAMES, PROPERTY_SECTIONS, propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { currencyOf, formatPropertyValue } from '#contract/property-format.ts'
import { DIVESTED_REASONS } from '#contract/property-vocabularies.ts'
import { useSession } from '#web/data/session.ts'
import { CheckStateLine, useCheckState } from '#web/engines/account/check-state.tsx'
import { Facts } from '#web/engines/panel/facts.tsx'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { formatSource, labelIn } from './property-labels.ts'
import { HoverNote, QualityBar } from './property-marks.tsx'
import classes from './property.module.css'

export function PropertySummary({ property }: { property: Property }) {
  const { divested_on: date, divested_reason: reason, divested_note: note } = property
  const divested = [
    date === null ? 'Divested' : `Divested on ${formatDate(date, 'UTC')}`,
    reason && labelIn(DIVESTED_REASONS, reason),
    note,
  ]
  return (
    <div className={classes['summary']}>
      {property.status === 'divested' && (
        <Notice kind="warning" title="No longer part of the account">
          {divested.filter(Boolean).join(' · ')}
        </Notice>
      )}
      {property.deleted_at !== null && <Notice kind="warning">This property is in the trash.</Notice>}
      <p className={classes['address']}>{property.full_address}</p>
      <dl className={classes['figures']}>
        <div>
          <dt>Total insured value</dt>
          <dd>{property.tiv === null ? '–' : formatMoney(property.tiv, currencyOf(property.values))}</dd>
        </div>
        {property.findings !== null && (
          <div>
            <dt>Data quality</dt>
            <dd>{property.status === 'divested' ? '–' : <QualityBar score={property.quality_score} />}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}

function withoutFindings({ status, quality_score: score }: Property, state: CheckState['state'] | undefined): string {
  if (status === 'divested') return 'Divested properties are not checked.'
  if (score === null || state === 'never') return 'Not checked yet.'
  return state === 'current' ? 'No open discrepancies.' : 'None was open at the last check.'
}

/**
 * The open discrepancies of a property, worst first, and of when they are; nothing for viewers who cannot see them. Those about
 * the whole schedule are listed separately: the list does not count them at the property.
 */
export function PropertyFindings({ property }: { property: Property }) {
  const { account_id: accountId, findings, status } = property
  const state = useCheckState(accountId)
  if (findings === null) return null
  const own = findings.filter(({ widespread }) => !widespread)
  const ofSchedule = findings.filter(({ widespread }) => widespread)
  return (
    <TitledSection title="Discrepancies">
      {state !== undefined && state.state !== 'never' && status === 'active' && <CheckStateLine state={state} />}
      {own.length > 0 && <FindingList findings={own} accountId={accountId} />}
      {findings.length === 0 && <p className={classes['quiet']}>{withoutFindings(property, state?.state)}</p>}
      {own.length === 0 && ofSchedule.length > 0 && (
        <p className={classes['quiet']}>None of this property alone{state?.state === 'current' ? '.' : ' at the last check.'}</p>
      )}
      {ofSchedule.length > 0 && (
        <>
          <h4 className={classes['ofSchedule']}>Of the whole schedule</h4>
          <FindingList findings={ofSchedule} accountId={accountId} />
        </>
      )}
    </TitledSection>
  )
}

function FindingList({ findings, accountId }: { findings: NonNullable<Property['findings']>; accountId: string }) {
  const sorted = findings.toSorted((left, right) => SEVERITIES.indexOf(right.severity) - SEVERITIES.indexOf(left.severity))
  return (
    <ul className={classes['findings']}>
      {sorted.map(({ id, severity, message, other }) => (
        <li key={id}>
          <span className={classes['severity']}>
            <SeverityShape severity={severity} /> {SEVERITY_LABELS[severity]}
          </span>
          <span>
            {message}
            {other !== null && (
              <>
                {' '}
                <Link to={paths.property(accountId, other.id)}>Open {other.title}</Link>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Core fields are always shown, so that a missing value is visible; optional ones only if they have a value. */
const isShown = (name: PropertyFieldName, { values }: Property): boolean =>
  propertyField(name).level !== 'optional' || (values[name] ?? '') !== ''

function Value({ property, name, zone }: { property: Property; name: PropertyFieldName; zone: string }) {
  const source = property.sources[name]
  const content = formatPropertyValue(name, property.values[name], currencyOf(property.values)) || (
    <span className={classes['quiet']}>Not stated</span>
  )
  if (source === undefined) return content
  return (
    <HoverNote note={formatSource(source, zone)} className={classes['sourced']}>
      {content}
    </HoverNote>
  )
}

/** The values by section. The source of a value is shown on hover and focus. */
export function PropertySections({ property }: { property: Property }) {
  const zone = useSession().auth_user.company.timezone
  const sections = Object.entries(PROPERTY_SECTIONS).map(([section, title]) => ({
    title,
    facts: PROPERTY_FIELD_NAMES.filter((name) => propertyField(name).section === section && isShown(name, property)).map((name) => ({
      label: propertyField(name).label,
      value: <Value property={property} name={name} zone={zone} />,
    })),
  }))
  const custom = Object.entries(property.custom).map(([label, value]) => ({ label, value }))
  return [...sections, { title: 'Other columns of the import', facts: custom }].map(
    ({ title, facts }) =>
      facts.length > 0 && (
        <TitledSection key={title} title={title}>
          <Facts facts={facts} />
        </TitledSection>
      ),
  )
}
