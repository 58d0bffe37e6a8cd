import type { Property } from '#contract/account-properties.ts'
import { DIVESTED_REASONS } from '#contract/property-vocabularies.ts'
import { formatDate, formatMoney } from '#contract/format.ts'
import { Notice } from '#web/ui/notice.tsx'
import { QualityBar } from './quality-bar.tsx'
import classes from './property.module.css'

const REASONS: Readonly<Record<string, string>> = DIVESTED_REASONS

function Divested({ property }: { property: Property }) {
  const { divested_on: on, divested_reason: reason, divested_note: note } = property
  const words = [
    on === null ? 'Divested' : `Divested on ${formatDate(on, 'UTC')}`,
    reason === null ? null : (REASONS[reason] ?? reason),
    note,
  ]
  return (
    <Notice kind="warning" title="No longer part of the account">
      {words.filter((part) => part !== null && part !== '').join(' · ')}
    </Notice>
  )
}

export function PropertySummary({ property }: { property: Property }) {
  return (
    <div className={classes['summary']}>
      {property.status === 'divested' && <Divested property={property} />}
      {property.deleted_at !== null && <Notice kind="warning">This property is in the trash.</Notice>}
      <p className={classes['address']}>{property.full_address}</p>
      <dl className={classes['figures']}>
        <div>
          <dt>Total insured value</dt>
          <dd>{formatMoney(property.tiv)}</dd>
        </div>
        <div>
          <dt>Data quality</dt>
          <dd>
            <QualityBar score={property.quality_score} />
          </dd>
        </div>
      </dl>
    </div>
  )
}
